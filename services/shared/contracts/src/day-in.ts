/** One a time zone, since making a format takes far longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day (YYYY-MM-DD) that it is somewhere, by an IANA time zone. One that is not known is a RangeError. */
export function dayIn(timeZone: string, moment: Date): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(timeZone, format);
  return format.format(moment);
}
