import { Button, Skeleton } from '@mantine/core';
import { type Challenge, distanceInMeters, type Place, type Position } from '@wayquest/contracts';
import { memo, useDeferredValue, useMemo } from 'react';
import { useSelector } from 'react-redux';
import { phaseSentence } from '../../../entities/challenges/dates.ts';
import { LazySuggestions } from '../../../entities/challenges/LazySuggestions.tsx';
import { formatDistance } from '../../../entities/challenges/location.ts';
import { areaSentence, textsOf } from '../../../entities/challenges/texts.ts';
import { useChallengeTranslations } from '../../../entities/challenges/translations.ts';
import { type ParticipationsState, selectOwnParticipation } from '../../../entities/participations/slice.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { useErrorSentence } from '../../../shared/lib/errors.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { isFiltered } from '../address.ts';
import { isInSearchedArea, isNothingNear } from '../area-search.ts';
import { centerOf, widthOf } from '../map/boxes.ts';
import { selectSearchResult } from '../slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './ResultList.module.css';
import { TypeIcon } from './TypeIcon.tsx';

interface ItemProps {
  challenge: Challenge;
  from: Position | null;
  onChoose(challenge: Challenge): void;
}

const Item = memo(function Item({ challenge, from, onChoose }: ItemProps) {
  const t = useTranslations();
  const ofChallenge = useChallengeTranslations();
  const common = useCommonTranslations();
  const participation = useSelector((state: ParticipationsState) =>
    selectOwnParticipation(state, challenge.id),
  );
  const { city, state, difficulty, points, position, area } = challenge;
  const { name, lang } = textsOf(challenge);
  const place = areaSentence(challenge) ?? [city, state].filter(Boolean).join(', ');
  const distance = from && position && !area && formatDistance(distanceInMeters(from, position));
  return (
    <li>
      <button type="button" className={classes.item} onClick={() => onChoose(challenge)}>
        <strong lang={lang}>{name}</strong>
        <span>{[place, distance].filter(Boolean).join(' · ')}</span>
        <span>
          {t('difficultyAndPoints', {
            difficulty: ofChallenge(difficulty),
            points: common('points', { count: points }),
          })}
        </span>
        <span>
          {participation
            ? ofChallenge(participation.completed ? 'completed' : 'joined')
            : phaseSentence(challenge)}
        </span>
      </button>
    </li>
  );
});

/** Maximum width of a town, in degrees: a larger area is not in one town. */
const townWidth = 1.5;

/** The nearest first; as they are without a position. */
const byDistance = (challenges: Challenge[], from: Position | null): Challenge[] => {
  const distanceTo = ({ position }: Challenge) => (from && position ? distanceInMeters(from, position) : 0);
  return from ? challenges.toSorted((a, b) => distanceTo(a) - distanceTo(b)) : challenges;
};

interface ResultListProps {
  /** The person's position, if known. */
  position: Position | null;
  /** A place that the person searched for: the challenges near it are wanted. */
  found: Place | null;
  onChoose(challenge: Challenge): void;
  /** Undefined if another part of the page shows the error. */
  onRetry?: () => void;
}

/**
 * The challenges of the map as a list. There may be hundreds, and the page around them changes with every move of the
 * map.
 */
export const ResultList = memo(function ResultList({ position, found, onChoose, onRetry }: ResultListProps) {
  const t = useTranslations();
  // Deferred: hundreds of rows are rendered in steps, so that the map can be dragged meanwhile.
  const { state, error, challenges: all, searched } = useDeferredValue(useSelector(selectSearchResult));
  const from = found?.position ?? position;
  const challenges = useMemo(() => byDistance(all, from), [all, from]);
  if (state === 'failed') return onRetry && <Failure onRetry={onRetry}>{error}</Failure>;
  if (state !== 'ready' && challenges.length === 0) {
    return (
      <Pending>
        <Skeleton height={88} mb={8} radius="lg" />
        <Skeleton height={88} mb={8} radius="lg" />
        <Skeleton height={88} radius="lg" />
      </Pending>
    );
  }
  const narrowed = isFiltered(searched?.filters);
  const near = isInSearchedArea(position, searched);
  const nothing = challenges.length === 0 && onRetry && !narrowed && (
    <Empty>{t(near ? 'nothingNear' : 'nothingHere')}</Empty>
  );
  const suggestions = searched &&
    !narrowed &&
    challenges.length < 3 &&
    widthOf(searched.box) <= townWidth && (
      <LazySuggestions
        at={near && position ? position : centerOf(searched.box)}
        from={near ? position : null}
        existing={challenges}
        none={nothing}
      />
    );
  if (challenges.length === 0) return suggestions || nothing;
  const list = (
    <ol className={classes.list} aria-label={t('onMap')}>
      {challenges.map((challenge) => (
        <Item key={challenge.id} challenge={challenge} from={from} onChoose={onChoose} />
      ))}
    </ol>
  );
  return (
    <>
      {from && (
        <p className={classes.order}>{found ? t('nearestTo', { place: found.name }) : t('nearestFirst')}</p>
      )}
      {list}
      {suggestions}
    </>
  );
});

interface ResultCountProps {
  /** The person's position, if known. */
  from: Position | null;
  onClear(): void;
  /** Given if it also has to show errors, since the list is out of sight. */
  onRetry?: () => void;
}

/** The number of challenges found, beside the active filters. */
export function ResultCount({ from, onClear, onRetry }: ResultCountProps) {
  const t = useTranslations();
  const common = useCommonTranslations();
  const result = useSelector(selectSearchResult);
  const { state, error, searched, challenges, clusters } = result;
  const failure = useErrorSentence(error);
  const shown = challenges.length;
  const total = clusters.length > 0 ? clusters.reduce((sum, { count }) => sum + count, 0) : shown;
  const isEmpty = state === 'ready' && total === 0;
  const nothingMatches = isEmpty && isFiltered(searched?.filters);
  return (
    <div className={classes.count}>
      <div role="status">
        <p>
          {nothingMatches && t('nothingMatches')}
          {onRetry && state === 'failed' && failure}
          {onRetry &&
            isEmpty &&
            !nothingMatches &&
            t(isNothingNear(result, from) ? 'nothingNear' : 'nothingHere')}
          {total > 0 && t('count', { count: total })}
        </p>
        {total > shown && (
          <p className={classes.listed}>{t(searched?.near ? 'listedNearest' : 'listed', { shown })}</p>
        )}
      </div>
      {onRetry && state === 'failed' && (
        <Button variant="default" size="sm" onClick={onRetry}>
          {common('retry')}
        </Button>
      )}
      {nothingMatches && (
        <Button variant="default" size="sm" onClick={onClear}>
          {t('clearFilters')}
        </Button>
      )}
    </div>
  );
}

interface PlaceListProps {
  places: Place[];
  onChoose(place: Place): void;
}

/** The places of a type that were found, to choose from without the map. */
export function PlaceList({ places, onChoose }: PlaceListProps) {
  const t = useTranslations();
  if (places.length === 0) return null;
  return (
    <ol className={classes.list} aria-label={t('placesOnMap')}>
      {places.map((place) => (
        <li key={place.id}>
          <button type="button" className={classes.place} onClick={() => onChoose(place)}>
            <TypeIcon type={place.type} />
            <strong>{place.name}</strong>
            <span>{place.vicinity}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
