import { localDate } from '@wayquest/contracts';
import { currentLanguage } from '../i18n/catalogue.ts';
import { browserTimeZone, shortDay } from './days.ts';
import { serverNow } from './server-time.ts';

/** The day of a time in the browser's time zone: 'May 3', or 'May 3, 2025' in another year. */
export const dayOf = (moment: string) => shortDay(localDate(browserTimeZone(), new Date(moment)));

const locales = { en: 'en-US', zh: 'zh-CN' };

/** A time in the browser's time zone: 'May 3 at 6:30 PM', or 'May 3, 2025 at 6:30 PM' in another year. */
export function formatTime(moment: string, now = new Date(serverNow())): string {
  const date = new Date(moment);
  const isThisYear = date.getFullYear() === now.getFullYear();
  return new Intl.DateTimeFormat(locales[currentLanguage()], {
    ...{ month: 'long', day: 'numeric', hour: 'numeric', minute: 'numeric' },
    ...(!isThisYear && { year: 'numeric' }),
  }).format(date);
}
