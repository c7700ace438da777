import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/explore.ts';

export const { useTranslations, translate } = catalogue('explore', english);
