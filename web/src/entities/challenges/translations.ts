import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/challenge.ts';

export const { useTranslations: useChallengeTranslations, translate: translateChallenge } = catalogue(
  'challenge',
  english,
);
