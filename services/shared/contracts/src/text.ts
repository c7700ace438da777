// Needed by browsers, so without schemas, which are in primitives.ts (ADR 26).

/**
 * Maximum lengths of texts in UTF-16 code units (`String.length`), trimmed except for passwords. Shared by contracts and forms.
 */
export const textLimits = {
  challengeDescription: 2_000,
  challengeName: 120,
  city: 80,
  /** At login, where a malformed one is simply wrong. */
  currentPassword: 1_000,
  email: 200,
  firstName: 60,
  /** The code of one; a link with it can be typed as well. */
  invitation: 300,
  /** What an admin writes about one. */
  invitationNote: 200,
  lastName: 60,
  locationName: 120,
  loginName: 200,
  message: 2_000,
  /** Of a completed challenge, in its log. */
  note: 280,
  passkeyName: 60,
  password: 200,
  placeSearch: 160,
  /** Of a person's own address. */
  profileStreetAddress: 120,
  /** The text of a report, an appeal or a decision. */
  report: 500,
  requesterEmail: 254,
  search: 80,
  state: 40,
  /** Of a challenge. */
  streetAddress: 160,
  username: 30,
  zip: 12,
} as const;

/**
 * Shortens a text for a preview, so that it ends with a whole character as a reader sees it: an emoji of several code
 * points, or a letter with its accents, is kept or left out as one.
 *
 * @param text - Any text.
 * @param maxLength - How long the result may be, in UTF-16 code units as `String.length` counts, ending included.
 * @param ending - What a shortened text ends with, such as `…`.
 * @returns The text itself where it is short enough.
 */
export function truncateText(text: string, maxLength: number, ending = ''): string {
  if (text.length <= maxLength) return text;
  // Created lazily: older browsers lack Intl.Segmenter and never get here.
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const room = maxLength - ending.length;
  let end = 0;
  for (const { index, segment } of segmenter.segment(text)) {
    if (index + segment.length > room) break;
    end = index + segment.length;
  }
  return text.slice(0, end).trimEnd() + ending;
}

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

const chinese = '[\\u3000-\\u303f\\u3400-\\u9fff\\uff00-\\uffef]';
const startsChinese = new RegExp(`^${chinese}`);
const endsChinese = new RegExp(`${chinese}$`);

/**
 * Inserts values into a Chinese sentence. In it, a space separates a placeholder, `{name}`, from Chinese characters, as it does
 * numbers and Latin words; it is left out beside a value that is Chinese itself.
 */
export const fillInChinese = (sentence: string, fill: (placeholder: string) => string): string =>
  sentence.replace(/( ?)\{(\w+)\}( ?)/g, (_, before: string, placeholder: string, after: string) => {
    const value = fill(placeholder);
    return `${startsChinese.test(value) ? '' : before}${value}${endsChinese.test(value) ? '' : after}`;
  });

/** Key of a town, independent of spelling variants; empty without a city. */
export const townKey = ({ city, state }: { city: string; state: string }): string =>
  city &&
  [city, state]
    .map((name) =>
      name
        .normalize('NFKC')
        .toLocaleLowerCase('en')
        .replaceAll(/[\s.]+/g, ' ')
        .trim(),
    )
    .join();
