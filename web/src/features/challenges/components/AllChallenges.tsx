import { Button, VisuallyHidden } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useCallback, useEffect, useMemo } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useSearchParams } from 'react-router-dom';
import { selectAuthStatus } from '../../../entities/auth/slice.ts';
import { LazySuggestions } from '../../../entities/challenges/LazySuggestions.tsx';
import { hasFewNearby } from '../../../entities/challenges/location.ts';
import { looksIn } from '../../../entities/challenges/pictures/PlacePicture.tsx';
import { useListPosition } from '../../../entities/challenges/search-location.ts';
import {
  type ChallengesQuery,
  challengesRequested,
  moreRequested,
  selectChallenges,
  selectListError,
  selectListState,
  selectMore,
  selectNext,
  selectTotal,
} from '../../../entities/challenges/slice.ts';
import { Empty, Failure, FormError } from '../../../shared/ui/Message.tsx';
import { savedScrollPosition, useSavedScrollPosition } from '../../../shared/ui/scroll-position.ts';
import { isFiltered, type ListAddress, listOf, readAddress, writeAddress } from '../address.ts';
import { useTranslations } from '../translations.ts';
import classes from './AllChallenges.module.css';
import { CardGrid, CardGridSkeleton, ChallengeCard } from './ChallengeCard.tsx';
import { ListControls } from './ListControls.tsx';

/** Loads the list's next page near its end. */
function More() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const { state, error } = useSelector(selectMore);
  const { ref, entry } = useIntersection({ rootMargin: '0px 0px 600px 0px' });
  const near = entry?.isIntersecting ?? false;
  const waits = state === 'idle' || state === 'ready';
  useEffect(() => {
    if (near && waits) dispatch(moreRequested());
  }, [dispatch, near, waits]);
  return (
    <div ref={ref} className={classes.more}>
      <Button variant="default" loading={state === 'loading'} onClick={() => dispatch(moreRequested())}>
        {t('more')}
      </Button>
      <FormError>{error}</FormError>
    </div>
  );
}

function List({ filters, onClear }: { filters: ChallengesQuery; onClear(): void }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const challenges = useSelector(selectChallenges);
  const state = useSelector(selectListState);
  const error = useSelector(selectListError);
  const next = useSelector(selectNext);
  const total = useSelector(selectTotal);
  const looks = useMemo(() => looksIn(challenges), [challenges]);
  if (state === 'failed')
    return <Failure onRetry={() => dispatch(challengesRequested(filters))}>{error}</Failure>;
  if (state !== 'ready') return <CardGridSkeleton />;
  const count = challenges.length;
  if (count === 0 && isFiltered(filters)) {
    const clear = (
      <Button variant="default" onClick={onClear}>
        {t('clearFilters')}
      </Button>
    );
    return (
      <Empty action={clear}>{t(isFiltered({ ...filters, within: null }) ? 'noMatch' : 'noneNear')}</Empty>
    );
  }
  const { near } = filters;
  const isEmptyTown =
    near && filters.sort === 'nearest' && !isFiltered(filters) && hasFewNearby(near, challenges);
  const nothing = count === 0 && <Empty>{t(filters.sort === 'nearest' ? 'noneNear' : 'none')}</Empty>;
  const suggestions = isEmptyTown && (
    <LazySuggestions at={near} from={near} existing={challenges} shape="tile" none={nothing} />
  );
  if (count === 0) return suggestions || nothing;
  return (
    <>
      {suggestions}
      <p className={classes.count} role="status">
        {next && total === null
          ? t('countAndMore', { count })
          : t('count', { count: next ? (total ?? count) : count })}
      </p>
      <CardGrid label={t('all')}>
        {challenges.map((challenge) => (
          <li key={challenge.id}>
            <ChallengeCard challenge={challenge} from={filters.near} look={looks.get(challenge.id)} />
          </li>
        ))}
      </CardGrid>
      {next && <More />}
    </>
  );
}

/** All challenges, or those that the URL filters, shown once what is above them has loaded. */
export function AllChallenges({ isShown }: { isShown: boolean }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const [query, setQuery] = useSearchParams();
  const near = useListPosition();
  const address = readAddress(query);
  // A URL with a position need not wait for the person's.
  const filters = near === undefined && !address.near ? null : listOf(address, near ?? null);
  const filtersKey = JSON.stringify(filters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the filters
  useEffect(() => {
    if (filters) dispatch(challengesRequested(filters, savedScrollPosition()?.count));
  }, [dispatch, filtersKey]);
  const isLoaded = useSelector(selectListState) === 'ready';
  useSavedScrollPosition(filters !== null && isLoaded && isShown, useSelector(selectChallenges).length);
  const change = useCallback(
    (part: Partial<ListAddress>) =>
      setQuery((before) => writeAddress({ ...readAddress(before), ...part }), { replace: true }),
    [setQuery],
  );
  // Members have their own challenges and the form above it.
  const isMember = useSelector(selectAuthStatus) === 'member';
  const title = (
    <h2 className={classes.title} id="all-challenges-title">
      {t('all')}
    </h2>
  );
  return (
    <section aria-labelledby="all-challenges-title">
      {isMember ? title : <VisuallyHidden>{title}</VisuallyHidden>}
      <ListControls filters={filters ?? listOf(address, null)} onChange={change} />
      {filters ? (
        <List
          filters={filters}
          onClear={() =>
            change({ search: '', phase: null, difficulty: null, placeCategory: null, within: null })
          }
        />
      ) : (
        <CardGridSkeleton />
      )}
    </section>
  );
}
