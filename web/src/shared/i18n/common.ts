import { catalogue } from './catalogue.ts';
import english from './en/common.ts';

/** Sentences of several features. */
export const { useTranslations: useCommonTranslations, translate: translateCommon } = catalogue(
  'common',
  english,
);
