import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/trail.ts';

export const { useTranslations } = catalogue('trail', english);
