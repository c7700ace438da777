import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/leaderboard.ts';

export const { useTranslations } = catalogue('leaderboard', english);
