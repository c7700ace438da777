import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/home.ts';

export const { useTranslations } = catalogue('home', english);
