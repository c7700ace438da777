import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/libraries.ts';

export const { useTranslations } = catalogue('libraries', english);
