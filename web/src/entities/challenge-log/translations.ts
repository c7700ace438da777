import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/log.ts';

export const { useTranslations: useLogTranslations } = catalogue('log', english);
