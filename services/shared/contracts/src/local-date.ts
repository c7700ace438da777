/** The range of accepted dates: excludes incomplete years such as 0026. */
export const firstDay = '2000-01-01';
export const lastDay = '2100-12-31';

/** One formatter per time zone; creating one is expensive. */
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The name of a time zone as Intl writes it.
 *
 * @param text - Possibly a time zone name, such as `asia/tokyo`.
 * @returns undefined if it is none, or only an offset such as `+09:00`.
 */
export function canonicalTimeZone(text: string): string | undefined {
  if (!/^[a-z]/i.test(text)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The local date (YYYY-MM-DD) in an IANA time zone. Throws RangeError for an unknown one. */
export function localDate(timeZone: string, moment: Date): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(timeZone, format);
  return format.format(moment);
}
