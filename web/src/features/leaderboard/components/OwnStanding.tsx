import type { Me } from '@wayquest/contracts';
import { useSelector } from 'react-redux';
import { useQuery } from '../../../shared/lib/use-query.ts';
import type { RankingAddress } from '../address.ts';
import { selectMoves } from '../slice.ts';
import { useTranslations } from '../translations.ts';
import { NextChallenge } from './NextChallenge.tsx';
import classes from './OwnStanding.module.css';

interface Props {
  me: Me;
  address: RankingAddress;
}

/** The person's rank, whichever page is shown, and whom they would overtake next. */
export function OwnStanding({ me, address: { scope, period } }: Props) {
  const t = useTranslations();
  const moves = useSelector(selectMoves);
  // The data is the same for each page of a ranking, until somebody earns points.
  const key = JSON.stringify([scope, period, moves, me.points]);
  const { data: answer } = useQuery(key, async (api) => {
    const board = { scope, ...(period === 'month' && { period }) };
    const { rows, page } = await api.getLeaderboard({ query: { ...board, around: 'me' } });
    if (rows[0]?.id !== me.id || page < 2) return rows;
    // The person before the first of a page is the last of the previous one.
    const before = await api.getLeaderboard({ query: { ...board, page: String(page - 1) } });
    return [...before.rows, ...rows];
  });
  const at = answer?.findIndex(({ id }) => id === me.id) ?? -1;
  const own = answer?.[at];
  const ahead = answer?.[at - 1];
  // Ties are ordered by id; those of a month by check-ins first, which are not known here.
  const winsTie = own && ahead && period !== 'month' && own.id < ahead.id;
  const needed = own && ahead ? ahead.points - own.points + (winsTie ? 0 : 1) : 0;
  return (
    <p className={classes.own}>
      {own && <strong>{t('own', { rank: own.rank })}</strong>}
      {own && ahead && <span>{t('overtake', { count: needed, name: ahead.username })}</span>}
      {own?.rank === 1 && <span>{t('ahead')}</span>}
      {answer && !own && <span>{t('notIn')}</span>}
      {answer && own?.rank !== 1 && <NextChallenge me={me} needed={needed} className={classes.next ?? ''} />}
    </p>
  );
}
