import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/admin.ts';

export const { useTranslations } = catalogue('admin', english);
