import type { Challenge, Client, Me, Position } from '@wayquest/contracts';
import { Link } from 'react-router-dom';
import { useQuery } from '../../../shared/lib/use-query.ts';
import { useKnownPosition } from '../../../shared/ui/use-known-position.ts';
import { useTranslations } from '../translations.ts';

/** Metres that somebody would go for it. */
const reach = '30000';

/** What is open around somebody, and they have not completed: the nearest first, or what their town has. */
async function openAround(api: Client, me: Me, position: Position | null): Promise<Challenge[]> {
  if (!position && !me.city) return [];
  const where = position ? { near: `${position.lat},${position.lng}`, radius: reach } : { search: me.city };
  const [open, lines] = await Promise.all([
    api.listChallenges({ query: { scope: 'all', phase: 'open', limit: '50', ...where } }),
    api.listLines({ query: { completed: 'true', limit: '500' } }),
  ]);
  const done = new Set(lines.map(({ challengeId }) => challengeId));
  // The boards of the month count others' making alone.
  return open.filter(({ id, creator }) => !done.has(id) && creator.id !== me.id);
}

/** Leads to an open challenge near the person that would do to get past who is ahead, or to where to look for one. */
export function NextChallenge({ me, needed, className }: { me: Me; needed: number; className: string }) {
  const t = useTranslations();
  const position = useKnownPosition();
  const where = position ? `${position.lat},${position.lng}` : me.city;
  const key = position === undefined ? null : `${me.id} ${where}`;
  const { answer } = useQuery(key, (api) => openAround(api, me, position ?? null));
  const enough = answer?.find(({ points }) => points >= needed);
  return (
    <Link to={enough ? `/challenges/${enough.id}` : '/challenges'} className={className}>
      {enough ? t('wouldDo', { name: enough.name }) : t('findOne')}
    </Link>
  );
}
