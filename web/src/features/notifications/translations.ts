import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/notifications.ts';

export const { useTranslations } = catalogue('notifications', english);
