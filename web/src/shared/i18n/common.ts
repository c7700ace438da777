import { catalogue } from './catalogue.ts';
import english from './en/common.ts';

/** What several features say. */
export const { useTranslations: useCommonTranslations, say: sayCommon } = catalogue('common', english);
