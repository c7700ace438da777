import type { Award } from '@wayquest/contracts';
import { catalogue } from '../../shared/i18n/catalogue.ts';
import english from '../../shared/i18n/en/award.ts';

const { useTranslations } = catalogue('award', english);

const words = {
  flagged: 'flagged',
  'own-limit': 'ownLimit',
  removed: 'removed',
  revoked: 'revoked',
} as const;

/** Explains an award that differs from its challenge's points; undefined if it does not. */
export function useAwardSentence({ outcome, reason = '' }: Award): string | undefined {
  const t = useTranslations();
  return outcome && t(words[outcome], { reason });
}
