import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/board.ts';

export const { useTranslations: useBoardTranslations } = catalogue('board', english);
