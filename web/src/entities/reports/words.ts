import { catalogue, currentLanguage } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/reports.ts';

export const { useWords } = catalogue('reports', english);

/** A day in the words of the page's language. */
export const dayOf = (moment: string): string =>
  new Date(moment).toLocaleDateString(currentLanguage(), { dateStyle: 'medium' });
