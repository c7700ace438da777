import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/profile.ts';

export const { useTranslations, translate } = catalogue('profile', english);
