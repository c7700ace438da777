import { catalogue } from '../words/catalogue.ts';
import english from '../words/en/map.ts';

export const { useTranslations } = catalogue('map', english);
