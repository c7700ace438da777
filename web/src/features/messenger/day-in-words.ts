import { currentLanguage } from '../../shared/i18n/catalogue.ts';

const dayMs = 86_400_000;

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
