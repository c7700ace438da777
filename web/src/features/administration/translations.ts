import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/administration.ts';

export const { useTranslations } = catalogue('administration', english);
