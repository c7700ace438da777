/** The range of accepted dates: excludes incomplete years such as 0026. */
export const firstDay = '2000-01-01';
export const lastDay = '2100-12-31';

/** One a time zone, since making a format takes far longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The name of a time zone as Intl writes it.
 *
 * @param text - What may be one, such as `asia/tokyo`.
 * @returns Nothing where it is none, or a mere offset such as `+09:00`.
 */
export function timeZoneNamed(text: string): string | undefined {
  if (!/^[a-z]/i.test(text)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The day (YYYY-MM-DD) that it is somewhere, by an IANA time zone. One that is not known is a RangeError. */
export function localDate(timeZone: string, moment: Date): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(timeZone, format);
  return format.format(moment);
}
