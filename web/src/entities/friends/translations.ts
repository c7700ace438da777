import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/people.ts';

export const { useTranslations: usePeopleTranslations, translate: translatePeople } = catalogue(
  'people',
  english,
);
