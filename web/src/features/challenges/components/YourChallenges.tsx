import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import {
  selectLinesError,
  selectLinesState,
  selectUncompleted,
} from '../../../entities/challenge-lines/selectors.ts';
import { linesRequested } from '../../../entities/challenge-lines/slice.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { useWords } from '../words.ts';
import { CardGrid, CardGridSkeleton } from './CardGrid.tsx';
import { ChallengeCard } from './ChallengeCard.tsx';
import classes from './Section.module.css';

function List() {
  const t = useWords();
  const dispatch = useDispatch();
  const lines = useSelector(selectUncompleted);
  const state = useSelector(selectLinesState);
  const error = useSelector(selectLinesError);
  if (state === 'failed') return <Failure onRetry={() => dispatch(linesRequested())}>{error}</Failure>;
  if (state !== 'ready') return <CardGridSkeleton count={3} />;
  if (lines.length === 0) return <Empty>{t('noneOfYours')}</Empty>;
  return (
    <CardGrid label={t('yours')}>
      {lines.map(({ id, challenge }) => (
        <li key={id}>
          <ChallengeCard challenge={challenge} />
        </li>
      ))}
    </CardGrid>
  );
}

/** What the person has joined and not completed yet. */
export function YourChallenges() {
  const t = useWords();
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
