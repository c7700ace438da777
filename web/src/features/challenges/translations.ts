import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/challenges.ts';

export const { useTranslations } = catalogue('challenges', english);
