import type { Me } from '@wayquest/contracts';
import { Link } from 'react-router-dom';
import { formatPosition } from '../../../shared/lib/query-params.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { useKnownPosition } from '../../../shared/ui/use-position.ts';
import type { RankingAddress } from '../address.ts';
import { useTranslations } from '../translations.ts';
import classes from './OwnRank.module.css';

/** Maximum distance in meters. */
const maxDistance = '30000';

/**
 * Links to an open challenge nearby that is worth enough points to overtake the next person, or to the search for one.
 */
function NextChallenge({ me, needed, className }: { me: Me; needed: number; className: string }) {
  const t = useTranslations();
  const position = useKnownPosition();
  const near = position
    ? { near: formatPosition(position), radius: maxDistance }
    : position === null && me.city && { search: me.city };
  const open = useResource(
    'listChallenges',
    near ? { query: { scope: 'all', phase: 'open', limit: '50', ...near } } : null,
  ).data;
  const completed = useResource(
    'listParticipations',
    near ? { query: { completed: 'true', limit: '500' } } : null,
  ).data;
  const done = new Set(completed?.map(({ challengeId }) => challengeId));
  const sufficient =
    completed &&
    // Own challenges do not count in monthly rankings.
    open?.find(({ id, creator, points }) => points >= needed && !done.has(id) && creator.id !== me.id);
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
  const board = { scope, ...(period === 'month' && { period }) };
  const around = useResource('getLeaderboard', { query: { ...board, around: 'me' } }).data;
  // The person before the first of a page is the last of the previous one.
  const previousPage = around && around.rows[0]?.id === me.id ? around.page - 1 : 0;
  const previous = useResource(
    'getLeaderboard',
    previousPage > 0 ? { query: { ...board, page: String(previousPage) } } : null,
  ).data;
  const isComplete = previousPage === 0 || previous;
  const people = around && isComplete && [...(previous?.rows ?? []), ...around.rows];
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
