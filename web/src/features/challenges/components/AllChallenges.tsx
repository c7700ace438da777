import { VisuallyHidden } from '@mantine/core';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import {
  selectChallenges,
  selectListError,
  selectListState,
} from '../../../entities/challenges/selectors.ts';
import { challengesRequested } from '../../../entities/challenges/slice.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { useWords } from '../words.ts';
import { CardGrid, CardGridSkeleton } from './CardGrid.tsx';
import { ChallengeCard } from './ChallengeCard.tsx';

function List() {
  const t = useWords();
  const dispatch = useDispatch();
  const challenges = useSelector(selectChallenges);
  const state = useSelector(selectListState);
  const error = useSelector(selectListError);
  useEffect(() => {
    dispatch(challengesRequested());
  }, [dispatch]);
  if (state === 'failed') return <Failure onRetry={() => dispatch(challengesRequested())}>{error}</Failure>;
  if (state !== 'ready') return <CardGridSkeleton />;
  if (challenges.length === 0) return <Empty>{t('none')}</Empty>;
  return (
    <CardGrid label={t('all')}>
      {challenges.map((challenge) => (
        <li key={challenge.id}>
          <ChallengeCard challenge={challenge} />
        </li>
      ))}
    </CardGrid>
  );
}

/** Every challenge there is. */
export function AllChallenges() {
  const t = useWords();
  return (
    <section aria-labelledby="all-challenges-title">
      <VisuallyHidden component="h2" id="all-challenges-title">
        {t('all')}
      </VisuallyHidden>
      <List />
    </section>
  );
}
