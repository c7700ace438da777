import { catalogue, currentLanguage } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/reports.ts';

export const { useTranslations } = catalogue('reports', english);

/** Formats a date in the page's language. */
export const dayOf = (moment: string): string =>
  new Date(moment).toLocaleDateString(currentLanguage(), { dateStyle: 'medium' });
