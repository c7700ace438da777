import { VisuallyHidden } from '@mantine/core';
import type { LeaderboardPage } from '@wayquest/contracts';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectUser } from '../../../entities/auth/selectors.ts';
import { Empty } from '../../../shared/ui/Message.tsx';
import { UserAvatar } from '../../../shared/ui/UserAvatar.tsx';
import type { RankingAddress } from '../address.ts';
import { Pages } from './Pages.tsx';
import classes from './RankingTable.module.css';

interface Props {
  ranking: LeaderboardPage;
  address: RankingAddress;
  busy: boolean;
}

export function RankingTable({ ranking, address, busy }: Props) {
  const me = useSelector(selectUser);
  if (ranking.total === 0) return <Empty>Nobody has any points yet.</Empty>;
  return (
    <>
      <table className={classes.table} aria-busy={busy}>
        <thead>
          <tr>
            <th scope="col">Rank</th>
            <th scope="col">
              <VisuallyHidden>Avatar</VisuallyHidden>
            </th>
            <th scope="col">Username</th>
            <th scope="col">Total points</th>
          </tr>
        </thead>
        <tbody>
          {ranking.rows.map((user) => (
            <tr key={user.id} aria-current={user.id === me?.id || undefined}>
              <td className={classes.rank}>{user.rank}</td>
              <td className={classes.avatar}>
                <UserAvatar user={user} size={40} />
              </td>
              <td className={classes.name}>
                <Link to={`/users/${user.id}`}>{user.username}</Link>
                {user.id === me?.id && <span className={classes.you}>You</span>}
              </td>
              <td className={classes.points}>{user.points}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pages pages={ranking.pages} address={address} />
    </>
  );
}
