import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/account.ts';

export const { useTranslations, translate } = catalogue('account', english);
