import type { Award } from '@wayquest/contracts';
import { catalogue } from '../../shared/words/catalogue.ts';
import english from '../../shared/words/en/award.ts';

const { useWords } = catalogue('award', english);

const words = {
  waits: 'waits',
  'own-limit': 'ownLimit',
  removed: 'removed',
  'taken-back': 'takenBack',
} as const;

/** Says why an award is not simply its challenge's points; nothing where it is. */
export function useAwardSentence({ outcome, reason = '' }: Award): string | undefined {
  const t = useWords();
  return outcome && t(words[outcome], { reason });
}
