import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/blocks.ts';

export const { useTranslations: useBlockTranslations } = catalogue('blocks', english);
