import type { Me } from '@wayquest/contracts';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { useAsked } from '../../../shared/lib/use-asked.ts';
import type { RankingAddress } from '../address.ts';
import { selectMoves } from '../slice.ts';
import { useWords } from '../words.ts';
import classes from './OwnStanding.module.css';

interface Props {
  me: Me;
  address: RankingAddress;
}

/** Where the person stands, wherever they look, and whom they would overtake next. */
export function OwnStanding({ me, address: { scope, period } }: Props) {
  const t = useWords();
  const moves = useSelector(selectMoves);
  // The same on each page of a board, until somebody earns points.
  const key = JSON.stringify([scope, period, moves, me.points]);
  const { answer } = useAsked(key, (api) =>
    api.getLeaderboard({ query: { scope, around: 'me', ...(period === 'month' && { period }) } }),
  );
  const at = answer?.rows.findIndex(({ id }) => id === me.id) ?? -1;
  const own = answer?.rows[at];
  const ahead = answer?.rows[at - 1];
  // Of equals who was here first is ahead.
  const needed = own && ahead ? ahead.points - own.points + (own.id < ahead.id ? 0 : 1) : 0;
  return (
    <p className={classes.own}>
      {own && <strong>{t('own', { rank: own.rank })}</strong>}
      {own && ahead && <span>{t('overtake', { count: needed, name: ahead.username })}</span>}
      {own?.rank === 1 && <span>{t('ahead')}</span>}
      {answer && !own && <span>{t('notIn')}</span>}
      {answer && own?.rank !== 1 && <Link to="/challenges">{t('findOne')}</Link>}
    </p>
  );
}
