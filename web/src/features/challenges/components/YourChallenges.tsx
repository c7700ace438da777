import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import {
  selectLinesError,
  selectLinesState,
  selectUncompleted,
} from '../../../entities/challenge-lines/selectors.ts';
import { linesRequested } from '../../../entities/challenge-lines/slice.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { useTranslations } from '../translations.ts';
import { CardGrid, CardGridSkeleton } from './CardGrid.tsx';
import { ChallengeCard } from './ChallengeCard.tsx';
import classes from './Section.module.css';

/** How many are shown at first, so that the other challenges follow soon. */
const shownAtFirst = 6;

function List() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const lines = useSelector(selectUncompleted);
  const state = useSelector(selectLinesState);
  const error = useSelector(selectLinesError);
  const [all, setAll] = useState(false);
  if (state === 'failed') return <Failure onRetry={() => dispatch(linesRequested())}>{error}</Failure>;
  if (state !== 'ready') return <CardGridSkeleton count={3} />;
  if (lines.length === 0) return <Empty>{t('noneOfYours')}</Empty>;
  return (
    <>
      <CardGrid label={t('yours')}>
        {lines.slice(0, all ? lines.length : shownAtFirst).map(({ id, challenge }) => (
          <li key={id}>
            <ChallengeCard challenge={challenge} />
          </li>
        ))}
      </CardGrid>
      {!all && lines.length > shownAtFirst && (
        <Button className={classes.more ?? ''} variant="default" onClick={() => setAll(true)}>
          {t('allYours', { count: lines.length })}
        </Button>
      )}
    </>
  );
}

/** The person's participations that are not completed. */
export function YourChallenges() {
  const t = useTranslations();
  const dispatch = useDispatch();
  useEffect(() => {
    dispatch(linesRequested());
  }, [dispatch]);
  return (
    <section className={classes.section} id="your-challenges" aria-labelledby="your-challenges-title">
      <h2 id="your-challenges-title">{t('yours')}</h2>
      <List />
    </section>
  );
}
