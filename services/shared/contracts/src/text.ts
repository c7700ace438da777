import { z } from 'zod';

/**
 * Invisible characters: white space, format and control characters, default ignorable ones (U+00AD, U+200B,
 * the Hangul fillers, variation selectors), and the empty Braille pattern (U+2800), which is a symbol to Unicode.
 */
const invisible = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Whether a text has a visible character. */
export const isVisible = (text: string): boolean => text.replace(invisible, '') !== '';

const mustBeVisible = 'must contain a visible character';

/**
 * Text of a person, trimmed; `''` if empty. Joiners and variation selectors, as in emoji and Persian, are kept; a text of nothing
 * else is rejected.
 *
 * @param maxLength - In UTF-16 code units, as `String.length` and the `maxLength` of a form count.
 */
export const freeText = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength, `must have at most ${maxLength} characters`)
    .refine((text) => text === '' || isVisible(text), mustBeVisible);

/** As `freeText`, on one line. */
export const singleLineText = (maxLength: number) =>
  freeText(maxLength).regex(/^[^\p{Cc}]*$/u, 'must not contain control characters');
