import { catalogue } from './catalogue.ts';
import english from './en/fields.ts';

/** Sentences of form fields; pages without a form do not load them. */
export const { useTranslations: useFieldTranslations } = catalogue('fields', english);
