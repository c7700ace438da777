import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/reports.ts';

export const { useTranslations } = catalogue('reports', english);
