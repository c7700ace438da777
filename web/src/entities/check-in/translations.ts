import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/checkin.ts';

export const { useTranslations: useCheckInTranslations } = catalogue('checkin', english);
