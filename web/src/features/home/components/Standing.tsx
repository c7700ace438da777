import { IconTrophy } from '@tabler/icons-react';
import type { Me } from '@wayquest/contracts';
import { Link } from 'react-router-dom';
import { useAsked } from '../../../shared/lib/use-asked.ts';
import { useCommonWords } from '../../../shared/words/common.ts';
import { useBoardWords } from '../board-words.ts';
import classes from './Board.module.css';

/** The person's points and their place in the ranking, which leads there; without a place where that cannot be had. */
export function Standing({ user }: { user: Me }) {
  const t = useBoardWords();
  const common = useCommonWords();
  const { answer } = useAsked(`${user.points}`, (api) => api.getLeaderboard({ query: { around: 'me' } }));
  const rank = answer?.rows.find(({ id }) => id === user.id)?.rank;
  return (
    <Link to="/leaderboard" className={classes.standing}>
      <IconTrophy size={20} stroke={1.75} aria-hidden />
      {common('points', { count: user.points })}
      <span className={classes.rank}>{rank !== undefined && t('rank', { rank })}</span>
    </Link>
  );
}
