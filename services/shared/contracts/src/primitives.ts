import { z } from 'zod';
import { type ProblemCode, problems } from './problems.ts';
import { textLimits } from './text.ts';
import { firstDay, lastDay } from './values.ts';

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

/** As `freeText`, on one line: without control characters, and the line and paragraph separators U+2028 and U+2029. */
export const singleLineText = (maxLength: number) =>
  freeText(maxLength).regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must not contain control characters');

/** A positive safe integer; ids are allocated in blocks and never reused. */
export const Id = z.int().positive().meta({ id: 'Id' });

/** An id in a path or a query, as text. */
export const IdText = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'must be a positive whole number')
  .transform(Number)
  .pipe(Id);

/** A comma-separated list of ids in a query. */
export const IdList = z
  .string()
  .regex(/^[1-9]\d{0,15}(,[1-9]\d{0,15}){0,99}$/, 'must be up to 100 ids with commas between')
  .transform((text) => text.split(',').map(Number))
  .pipe(z.array(Id));

/** A timestamp, ISO 8601 in UTC. */
export const Timestamp = z.iso.datetime();

/** A date, YYYY-MM-DD, in the time zone of its place. */
export const Day = z.iso.date();

/** A date in a form: a date, a date with a time (only the date is used), or nothing. */
export const DayInput = z
  .union([Day, z.iso.datetime({ offset: true, local: true }), z.literal(''), z.null()])
  .transform((value) => (value ? value.slice(0, 10) : null))
  .refine(
    (day) => day === null || (day >= firstDay && day <= lastDay),
    `must be from ${firstDay} to ${lastDay}`,
  );

/** A postal code is text, since some begin with 0; a number is accepted. */
export const Zip = z
  .union([z.string(), z.int().nonnegative().transform(String)])
  .pipe(singleLineText(textLimits.zip));

/** A page size, as text in a query. */
export const limit = (max: number) =>
  z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(1).max(max));

/** A cursor: the value in the `Link: …; rel="next"` header of the previous page. */
export const Cursor = z.string().max(200);

/** Identifies a call and its repetitions: chosen by the client, such as a UUID. */
export const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
  .meta({ description: 'Identifies this call and its repetitions, such as a UUID.' });

const codes = Object.keys(problems) as [ProblemCode, ...ProblemCode[]];

/** An error's body, `application/problem+json` (RFC 9457). */
export const ProblemDetails = z
  .object({
    type: z.string().meta({ description: 'urn:wayquest:problem:<code>' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    code: z.enum(codes),
    requestId: z.string().optional(),
    errors: z
      .array(z.object({ field: z.string(), reason: z.string() }))
      .optional()
      .meta({ description: 'For invalid-request: each invalid field and the reason.' }),
  })
  .meta({ id: 'ProblemDetails' });
export type ProblemDetails = z.infer<typeof ProblemDetails>;
