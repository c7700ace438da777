import { z } from 'zod';
import { line } from './text.ts';
import { textLimits } from './text-limits.ts';

/** Ids are positive safe integers, handed out in blocks and never used again. */
export const Id = z.int().positive().meta({ id: 'Id' });

/** An id in a path or a query, where everything is text. */
export const IdText = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'must be a positive whole number')
  .transform(Number)
  .pipe(Id);

/** Several of them. */
export const IdList = z
  .string()
  .regex(/^[1-9]\d{0,15}(,[1-9]\d{0,15}){0,99}$/, 'must be up to 100 ids with commas between')
  .transform((text) => text.split(',').map(Number))
  .pipe(z.array(Id));

/** A moment, ISO 8601 in UTC. */
export const Moment = z.iso.datetime();

/** A day, YYYY-MM-DD, in the time zone of the place it speaks of. */
export const Day = z.iso.date();

/** Between them lies every day that somebody can mean: a year of two digits was not finished. */
export const firstDay = '2000-01-01';
export const lastDay = '2100-12-31';

/** A day as forms send it: a date, a date with a time (its first ten characters count), or nothing. */
export const DayInput = z
  .union([Day, z.iso.datetime({ offset: true, local: true }), z.literal(''), z.null()])
  .transform((value) => (value ? value.slice(0, 10) : null))
  .refine(
    (day) => day === null || (day >= firstDay && day <= lastDay),
    `must be from ${firstDay} to ${lastDay}`,
  );

/** A postal code is text, since some begin with 0; a number is accepted. */
export const Zip = z.union([z.string(), z.int().nonnegative().transform(String)]).pipe(line(textLimits.zip));

/** How many to answer, as text in a query. */
export const limit = (most: number) =>
  z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(1).max(most));

/** Where a list goes on: the value the last answer's `Link: …; rel="next"` header carries. */
export const Cursor = z.string().max(200);

/** What names a call and its repeats: chosen by the client, such as a UUID. */
export const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
  .meta({ description: 'Names this call and its repeats, such as a UUID.' });
