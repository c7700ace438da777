// Separate from text.ts, whose schemas are not shipped to browsers (ADR 26).

/** Scripts that are written from right to left, and the characters that override a direction (UAX #9). */
const rtlOrOverride =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const isolates = /[\u2066-\u2069]/g;

/**
 * Isolates a text within a sentence, so that its direction does not affect the rest (UAX #9, isolates), even with an override
 * that is never closed.
 *
 * @param text - Such as a name.
 * @returns The text within a first strong isolate, or as it is if it needs none.
 */
export const isolateDirection = (text: string): string =>
  rtlOrOverride.test(text) ? `\u2068${text.replace(isolates, '')}\u2069` : text;
