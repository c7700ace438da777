import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/welcome.ts';

export const { useTranslations: useWelcomeTranslations } = catalogue('welcome', english);
