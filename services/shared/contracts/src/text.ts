import { z } from 'zod';

/**
 * What shows nothing by itself: white space, format and control characters, what Unicode calls ignorable (U+00AD, U+200B,
 * the Hangul fillers, variation selectors), and the empty Braille pattern (U+2800), which is a symbol to Unicode.
 */
const invisible = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Whether a reader sees anything of a text. */
export const isVisible = (text: string): boolean => text.replace(invisible, '') !== '';

const mustBeVisible = 'must hold a character that can be seen';

/**
 * Text that a person writes, trimmed; `''` when there is none. Characters that only join or shape others, as in emoji and
 * Persian, are kept; a text of nothing else is refused.
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
export const line = (maxLength: number) =>
  freeText(maxLength).regex(/^[^\p{Cc}]*$/u, 'must not hold control characters');

/** Scripts that are written from right to left, and the characters that override a direction (UAX #9). */
const turnsDirection =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const isolates = /[\u2066-\u2069]/g;

/**
 * Puts somebody else's words into a sentence, so that their direction turns nothing of the rest (UAX #9, isolates): also not
 * where they hold an override that is never ended.
 *
 * @param words - A name, say.
 * @returns The words between a first strong isolate and its end; as they are where nothing in them could turn anything.
 */
export const isolated = (words: string): string =>
  turnsDirection.test(words) ? `\u2068${words.replace(isolates, '')}\u2069` : words;
