import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/messenger.ts';

export const { useTranslations } = catalogue('messenger', english);
