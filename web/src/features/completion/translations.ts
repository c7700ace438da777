import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/completion.ts';

export const { useTranslations } = catalogue('completion', english);
