import { Button, Skeleton } from '@mantine/core';
import type { TrailBook as Book } from '@wayquest/contracts';
import { useState } from 'react';
import { useSelector } from 'react-redux';
import { selectUser } from '../../entities/auth/selectors.ts';
import { pageOf } from '../../shared/lib/next-cursor.ts';
import { useQuery } from '../../shared/lib/use-query.ts';
import { Empty, Failure } from '../../shared/ui/Message.tsx';
import { Pending } from '../../shared/ui/Pending.tsx';
import { Section } from '../../shared/ui/Section.tsx';
import { useKeptFocus } from '../../shared/ui/use-kept-focus.ts';
import { StampItem } from './StampItem.tsx';
import classes from './TrailBook.module.css';
import { TrailMap } from './TrailMap.tsx';
import { useTranslations } from './translations.ts';

/** A page of stamps, and the cursor of the next one. */
interface Page extends Book {
  next: string | null;
}

/** Maximum number of kinds of places that are shown, the most frequent first. */
const maxKinds = 8;

function Summary({ book, mine }: { book: Book; mine: boolean }) {
  const { total, own, weeklyStreak, scenes, towns } = book;
  const t = useTranslations();
  return (
    <ul className={classes.summary} aria-label={t('summary')}>
      <li className={classes.total}>{t('stamps', { count: total })}</li>
      {weeklyStreak > 0 && (
        <li className={classes.weeks} title={t('rests')}>
          {t('weeks', { count: weeklyStreak })}
        </li>
      )}
      {towns > 0 && <li>{t('towns', { count: towns })}</li>}
      {own > 0 && <li>{t(mine ? 'yours' : 'own', { count: own })}</li>}
      {scenes.slice(0, maxKinds).map(({ scene, count }) => (
        <li key={scene}>{t(scene, { count })}</li>
      ))}
    </ul>
  );
}

/** A person's trail book: a stamp for each completed challenge. */
export function TrailBook({ userId }: { userId: number }) {
  const t = useTranslations();
  const mine = useSelector(selectUser)?.id === userId;
  const [turned, setTurned] = useState<Page[]>([]);
  const keptFocus = useKeptFocus<HTMLDivElement>();
  const cursor = turned.at(-1)?.next;
  const { state, error, data, refetch } = useQuery(`${userId} ${cursor ?? ''}`, async (api) => {
    const request = { params: { id: String(userId) }, query: cursor ? { cursor } : {} };
    const { data: book, next } = await pageOf((options) => api.getTrailBook(request, options));
    return { ...book, next };
  });
  const pages: Page[] = data ? [...turned, data] : turned;
  const [book] = pages;
  const isTurning = state === 'loading' && turned.length > 0;
  return (
    <Section titleId="trail-title" title={t('title')}>
      <div {...keptFocus}>
        {state === 'failed' && <Failure onRetry={refetch}>{error}</Failure>}
        {state !== 'failed' && !book && (
          <Pending className={classes.pending}>
            <Skeleton height={400} radius="lg" />
          </Pending>
        )}
        {book?.total === 0 && <Empty>{t(book.kept ? 'kept' : 'none')}</Empty>}
        {book && book.total > 0 && (
          <>
            <Summary book={book} mine={mine} />
            {book.map && <TrailMap userId={userId} map={book.map} />}
            <ul className={classes.stamps} aria-label={t('title')}>
              {pages.flatMap(({ stamps }) =>
                stamps.map((stamp) => <StampItem key={stamp.lineId} stamp={stamp} mine={mine} />),
              )}
            </ul>
          </>
        )}
        {(isTurning || data?.next) && (
          <Button
            className={classes.more ?? ''}
            variant="default"
            loading={isTurning}
            onClick={() => setTurned(pages)}
          >
            {t('more')}
          </Button>
        )}
      </div>
    </Section>
  );
}
