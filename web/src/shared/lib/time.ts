import { useEffect, useState } from 'react';
import { currentLanguage, spaceUnit } from '../i18n/catalogue.ts';
import { translateCommon } from '../i18n/common.ts';
import { serverNow } from './server-time.ts';

const dayMs = 86_400_000;

const lengths = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const formats = {
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
  return spaceUnit(formats[currentLanguage()].format(-Math.floor(seconds / length), unit));
}

const midnightOf = (moment: Date) =>
  new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();

/** Whether two times are on the same day in the browser's time zone. */
export const isSameDay = (one: string, other: string) =>
  midnightOf(new Date(one)) === midnightOf(new Date(other));

/** Whether two times are in the same minute. */
export const isSameMinute = (one: string, other: string) =>
  Math.floor(Date.parse(one) / 60_000) === Math.floor(Date.parse(other) / 60_000);

/** The day of a time: 'today', 'yesterday', 'Friday, May 1', with the year if it is another one, or the same in Chinese. */
export function formatDay(moment: string, now: number): string {
  const date = new Date(moment);
  // Rounded, since not every day has 24 hours. A future time counts as today, since clocks differ.
  const days = Math.max(0, Math.round((midnightOf(new Date(now)) - midnightOf(date)) / dayMs));
  const language = currentLanguage();
  if (days < 2) return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-days, 'day');
  const isThisYear = date.getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(language, {
    ...{ weekday: 'long', month: 'long', day: 'numeric' },
    ...(!isThisYear && { year: 'numeric' }),
  }).format(date);
}

/** How often relative times are updated. */
const updateIntervalMs = 20_000;

/** Returns the current time, updated from time to time, for relative times. */
export function useNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), updateIntervalMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
