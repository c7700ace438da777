import { VisuallyHidden } from '@mantine/core';
import type { LeaderboardPage } from '@wayquest/contracts';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectUser } from '../../../entities/auth/selectors.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { Empty } from '../../../shared/ui/Message.tsx';
import { UserAvatar } from '../../../shared/ui/UserAvatar.tsx';
import type { RankingAddress } from '../address.ts';
import { useTranslations } from '../translations.ts';
import { Pages } from './Pages.tsx';
import classes from './RankingTable.module.css';

interface Props {
  ranking: LeaderboardPage;
  address: RankingAddress;
  busy: boolean;
}

export function RankingTable({ ranking, address, busy }: Props) {
  const t = useTranslations();
  const common = useCommonTranslations();
  const me = useSelector(selectUser);
  if (ranking.total === 0) return <Empty>{t(address.period === 'month' ? 'noneThisMonth' : 'none')}</Empty>;
  return (
    <>
      <table className={classes.table} aria-busy={busy}>
        <thead>
          <tr>
            <th scope="col">{t('rank')}</th>
            <th scope="col">
              <VisuallyHidden>{t('avatar')}</VisuallyHidden>
            </th>
            <th scope="col">{common('username')}</th>
            <th scope="col">{t(address.period === 'month' ? 'monthPoints' : 'totalPoints')}</th>
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
                {user.id === me?.id && <span className={classes.you}>{t('you')}</span>}
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
