import type { Challenge, Client, Me, Position } from '@wayquest/contracts';
import { Link } from 'react-router-dom';
import { useQuery } from '../../../shared/lib/use-query.ts';
import { useKnownPosition } from '../../../shared/ui/use-known-position.ts';
import { useTranslations } from '../translations.ts';

/** Maximum distance in meters. */
const reach = '30000';

/** Loads open challenges that a person has not completed: the nearest ones, or those of their town. */
async function openAround(api: Client, me: Me, position: Position | null): Promise<Challenge[]> {
  if (!position && !me.city) return [];
  const where = position ? { near: `${position.lat},${position.lng}`, radius: reach } : { search: me.city };
  const [open, lines] = await Promise.all([
    api.listChallenges({ query: { scope: 'all', phase: 'open', limit: '50', ...where } }),
    api.listLines({ query: { completed: 'true', limit: '500' } }),
  ]);
  const done = new Set(lines.map(({ challengeId }) => challengeId));
  // Own challenges do not count in monthly rankings.
  return open.filter(({ id, creator }) => !done.has(id) && creator.id !== me.id);
}

/**
 * Links to an open challenge nearby that is worth enough points to overtake the next person, or to the search for one.
 */
export function NextChallenge({ me, needed, className }: { me: Me; needed: number; className: string }) {
  const t = useTranslations();
  const position = useKnownPosition();
  const where = position ? `${position.lat},${position.lng}` : me.city;
  const key = position === undefined ? null : `${me.id} ${where}`;
  const { data } = useQuery(key, (api) => openAround(api, me, position ?? null));
  const enough = data?.find(({ points }) => points >= needed);
  return (
    <Link to={enough ? `/challenges/${enough.id}` : '/challenges'} className={className}>
      {enough ? t('wouldDo', { name: enough.name }) : t('findOne')}
    </Link>
  );
}
