import { currentLanguage } from '../i18n/catalogue.ts';
import { translateCommon } from '../i18n/common.ts';

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
  return formats[currentLanguage()].format(-Math.floor(seconds / length), unit);
}
