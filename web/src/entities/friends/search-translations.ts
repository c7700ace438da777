import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/search.ts';

export const { useTranslations: useSearchTranslations } = catalogue('search', english);
