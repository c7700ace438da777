import type { Challenge, Client, Me, Position } from '@wayquest/contracts';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { formatPosition } from '../../../shared/lib/query-params.ts';
import { useQuery } from '../../../shared/lib/use-query.ts';
import { useKnownPosition } from '../../../shared/ui/use-position.ts';
import type { RankingAddress } from '../address.ts';
import { selectPointChanges } from '../slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './OwnRank.module.css';

/** Maximum distance in meters. */
const maxDistance = '30000';

/** Loads open challenges that a person has not completed: the nearest ones, or those of their town. */
async function loadOpenNearby(api: Client, me: Me, position: Position | null): Promise<Challenge[]> {
  if (!position && !me.city) return [];
  const where = position ? { near: formatPosition(position), radius: maxDistance } : { search: me.city };
  const [open, participations] = await Promise.all([
    api.listChallenges({ query: { scope: 'all', phase: 'open', limit: '50', ...where } }),
    api.listParticipations({ query: { completed: 'true', limit: '500' } }),
  ]);
  const done = new Set(participations.map(({ challengeId }) => challengeId));
  // Own challenges do not count in monthly rankings.
  return open.filter(({ id, creator }) => !done.has(id) && creator.id !== me.id);
}

/**
 * Links to an open challenge nearby that is worth enough points to overtake the next person, or to the search for one.
 */
function NextChallenge({ me, needed, className }: { me: Me; needed: number; className: string }) {
  const t = useTranslations();
  const position = useKnownPosition();
  const where = position ? `${position.lat},${position.lng}` : me.city;
  const key = position === undefined ? null : `${me.id} ${where}`;
  const { data } = useQuery(key, (api) => loadOpenNearby(api, me, position ?? null));
  const sufficient = data?.find(({ points }) => points >= needed);
  return (
    <Link to={sufficient ? `/challenges/${sufficient.id}` : '/challenges'} className={className}>
      {sufficient ? t('overtakeWith', { name: sufficient.name }) : t('findOne')}
    </Link>
  );
}

interface Props {
  me: Me;
  address: RankingAddress;
}

/** The person's rank, whichever page is shown, and whom they would overtake next. */
export function OwnRank({ me, address: { scope, period } }: Props) {
  const t = useTranslations();
  const pointChanges = useSelector(selectPointChanges);
  // The data is the same for each page of a ranking, until somebody earns points.
  const key = JSON.stringify([scope, period, pointChanges, me.points]);
  const { data: people } = useQuery(key, async (api) => {
    const board = { scope, ...(period === 'month' && { period }) };
    const { rows, page } = await api.getLeaderboard({ query: { ...board, around: 'me' } });
    if (rows[0]?.id !== me.id || page < 2) return rows;
    // The person before the first of a page is the last of the previous one.
    const before = await api.getLeaderboard({ query: { ...board, page: String(page - 1) } });
    return [...before.rows, ...rows];
  });
  const at = people?.findIndex(({ id }) => id === me.id) ?? -1;
  const own = people?.[at];
  const ahead = people?.[at - 1];
  // Ties are ordered by id; those of a month by check-ins first, which are not known here.
  const winsTie = own && ahead && period !== 'month' && own.id < ahead.id;
  const needed = own && ahead ? ahead.points - own.points + (winsTie ? 0 : 1) : 0;
  return (
    <p className={classes.own}>
      {own && <strong>{t('own', { rank: own.rank })}</strong>}
      {own && ahead && <span>{t('overtake', { count: needed, name: ahead.username })}</span>}
      {own?.rank === 1 && <span>{t('ahead')}</span>}
      {people && !own && <span>{t('notRanked')}</span>}
      {people && own?.rank !== 1 && <NextChallenge me={me} needed={needed} className={classes.next ?? ''} />}
    </p>
  );
}
