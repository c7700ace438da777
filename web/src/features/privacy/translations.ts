import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/privacy.ts';

export const { useTranslations } = catalogue('privacy', english);
