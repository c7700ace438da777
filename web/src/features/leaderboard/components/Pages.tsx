import { Pagination } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from 'react-router-dom';
import { type RankingAddress, writeAddress } from '../address.ts';
import { useTranslations } from '../translations.ts';
import classes from './Pages.module.css';

/** Links to the other pages of the ranking. */
export function Pages({ pages, address }: { pages: number; address: RankingAddress }) {
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
    <nav className={classes.pages} aria-label={t('pages')}>
      <Pagination
        total={pages}
        value={Math.min(address.page, pages)}
        classNames={{ control: classes.control ?? '', dots: classes.dots ?? '' }}
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
