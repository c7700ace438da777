import { catalogue } from '../i18n/catalogue.ts';
import english from '../i18n/en/map.ts';

export const { useTranslations } = catalogue('map', english);
