import { currentLanguage } from '../i18n/catalogue.ts';
import { serverNow } from './server-time.ts';

const formats = (locale: string) => {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return {
    short: format({ month: 'long', day: 'numeric' }),
    long: format({ year: 'numeric', month: 'long', day: 'numeric' }),
    weekday: format({ weekday: 'long' }),
  };
};

const dayFormats = { en: formats('en-US'), zh: formats('zh-CN') };

export const dayMs = 86_400_000;

/** The browser's time zone (IANA name). */
export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A day (YYYY-MM-DD) is the same everywhere, so it is parsed and formatted in UTC. */
const utcDate = (day: string) => new Date(`${day}T00:00:00Z`);

/** A day anywhere but on a challenge's card: 'May 3', or 'May 3, 2025' in another year. */
export const shortDay = (day: string, now = new Date(serverNow())) => {
  const isThisYear = utcDate(day).getUTCFullYear() === now.getFullYear();
  return dayFormats[currentLanguage()][isThisYear ? 'short' : 'long'].format(utcDate(day));
};

/** A day of a challenge, or on a shared picture: 'May 3 2025', in English without the usual comma (spec, section 2). */
export const longDay = (day: string) =>
  dayFormats[currentLanguage()].long.format(utcDate(day)).replace(', ', ' ');

/** 'Saturday' */
export const weekday = (day: string) => dayFormats[currentLanguage()].weekday.format(utcDate(day));

/** Number of days from one date to another. */
export const daysBetween = (from: string, to: string) =>
  (utcDate(to).getTime() - utcDate(from).getTime()) / dayMs;
