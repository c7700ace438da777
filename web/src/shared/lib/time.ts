import { currentLanguage } from '../i18n/catalogue.ts';
import { translateCommon } from '../i18n/common.ts';

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

const moments = {
  en: new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }),
  zh: new Intl.DateTimeFormat('zh-CN', { dateStyle: 'medium', timeStyle: 'short' }),
};

const dayMs = 86_400_000;

/** The browser's time zone (IANA name). */
export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A time in the browser's time zone: 'May 3, 2025, 6:30 PM'. */
export const formatTime = (moment: string) => moments[currentLanguage()].format(new Date(moment));

/** A day (YYYY-MM-DD) is the same everywhere, so it is parsed and formatted in UTC. */
const utcDate = (day: string) => new Date(`${day}T00:00:00Z`);

/** 'May 3' */
export const shortDay = (day: string) => dayFormats[currentLanguage()].short.format(utcDate(day));

/** 'May 3 2025', in English without the usual comma (spec, section 2). */
export const longDay = (day: string) =>
  dayFormats[currentLanguage()].long.format(utcDate(day)).replace(', ', ' ');

/** 'Saturday' */
export const weekday = (day: string) => dayFormats[currentLanguage()].weekday.format(utcDate(day));

/** Number of days from one date to another. */
export const daysBetween = (from: string, to: string) =>
  (utcDate(to).getTime() - utcDate(from).getTime()) / dayMs;

const lengths = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const relativeFormats = {
  en: new Intl.RelativeTimeFormat('en', { numeric: 'always' }),
  zh: new Intl.RelativeTimeFormat('zh', { numeric: 'always' }),
};

/** Formats how long ago a time was: 'just now', '5 minutes ago', or the same in Chinese. */
export function relativeTime(moment: string, now: number): string {
  const seconds = (now - Date.parse(moment)) / 1_000;
  const found = lengths.find(([, length]) => seconds >= length);
  // Also for future times, since clocks differ.
  if (!found) return translateCommon('justNow');
  const [unit, length] = found;
  return relativeFormats[currentLanguage()].format(-Math.floor(seconds / length), unit);
}

const midnightOf = (moment: Date) =>
  new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();

/** Whether two times are on the same day in the browser's time zone. */
export const isSameDay = (one: string, other: string) =>
  midnightOf(new Date(one)) === midnightOf(new Date(other));

/** Whether two times are in the same minute. */
export const isSameMinute = (one: string, other: string) =>
  Math.floor(Date.parse(one) / 60_000) === Math.floor(Date.parse(other) / 60_000);

/** The day of a time: 'today', 'yesterday', 'Friday, May 1, 2026', or the same in Chinese. */
export function formatDay(moment: string, now: number): string {
  const date = new Date(moment);
  // Rounded, since not every day has 24 hours. A future time counts as today, since clocks differ.
  const days = Math.max(0, Math.round((midnightOf(new Date(now)) - midnightOf(date)) / dayMs));
  const language = currentLanguage();
  if (days < 2) return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-days, 'day');
  return new Intl.DateTimeFormat(language, { dateStyle: 'full' }).format(date);
}
