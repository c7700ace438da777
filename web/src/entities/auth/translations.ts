import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/auth.ts';

export const { useTranslations, translate } = catalogue('auth', english);
