import { IconTrophy } from '@tabler/icons-react';
import type { Me } from '@wayquest/contracts';
import { Link } from 'react-router-dom';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { useQuery } from '../../../shared/lib/use-query.ts';
import { useBoardTranslations } from '../board-translations.ts';
import classes from './Board.module.css';

/**
 * The person's points, rank and points of this month, as a link to the leaderboard; parts that cannot be loaded are
 * left out.
 */
export function Standing({ user }: { user: Me }) {
  const t = useBoardTranslations();
  const common = useCommonTranslations();
  const { data } = useQuery(`${user.points}`, (api) =>
    Promise.all([
      api.getLeaderboard({ query: { around: 'me' } }),
      api.getLeaderboard({ query: { around: 'me', period: 'month' } }),
    ]),
  );
  const [ever, month] = data?.map(({ rows }) => rows.find(({ id }) => id === user.id)) ?? [];
  return (
    <Link to="/leaderboard" className={classes.standing}>
      <IconTrophy size={20} stroke={1.75} aria-hidden />
      {common('points', { count: user.points })}
      <span className={classes.rank}>{ever && t('rank', { rank: ever.rank })}</span>
      <span className={classes.month}>{data && t('month', { count: month?.points ?? 0 })}</span>
    </Link>
  );
}
