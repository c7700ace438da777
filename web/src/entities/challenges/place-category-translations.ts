import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/categories.ts';

/** The kinds of places. */
export const { useTranslations: usePlaceCategoryTranslations } = catalogue('categories', english);
