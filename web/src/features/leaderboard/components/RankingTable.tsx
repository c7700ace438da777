import { Pagination, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { LeaderboardPage } from '@wayquest/contracts';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectUser } from '../../../entities/auth/slice.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { Empty } from '../../../shared/ui/Message.tsx';
import { UserAvatar } from '../../../shared/ui/UserAvatar.tsx';
import { type RankingAddress, writeAddress } from '../address.ts';
import { useTranslations } from '../translations.ts';
import pagesClasses from './Pages.module.css';
import classes from './RankingTable.module.css';

/** Links to the other pages of the ranking. */
function Pages({ pages, address }: { pages: number; address: RankingAddress }) {
  const t = useTranslations();
  // On a phone only the first, this and the last page fit.
  const narrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  if (pages < 2) return null;
  const linkTo = (page: number) => ({
    component: Link,
    to: writeAddress({ ...address, page }) || '/leaderboard',
    preventScrollReset: true,
  });
  return (
    <nav className={pagesClasses.pages} aria-label={t('pages')}>
      <Pagination
        total={pages}
        value={Math.min(address.page, pages)}
        classNames={{ control: pagesClasses.control ?? '', dots: pagesClasses.dots ?? '' }}
        gap={narrow ? 4 : 8}
        siblings={narrow ? 0 : 1}
        getItemProps={(page) => ({ ...linkTo(page), 'aria-label': t('page', { page }) })}
        getControlProps={(control) => {
          if (control === 'next')
            return { ...linkTo(Math.min(pages, address.page + 1)), 'aria-label': t('nextPage') };
          return { ...linkTo(Math.max(1, address.page - 1)), 'aria-label': t('previousPage') };
        }}
      />
    </nav>
  );
}

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
