import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/layout.ts';

export const { useTranslations } = catalogue('layout', english);
