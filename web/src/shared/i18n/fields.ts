import { catalogue } from './catalogue.ts';
import english from './en/fields.ts';

/** What the fields of several features' forms say; pages without a form do not load it. */
export const { useTranslations: useFieldTranslations } = catalogue('fields', english);
