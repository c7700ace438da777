import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/moderation.ts';

export const { useTranslations } = catalogue('moderation', english);
