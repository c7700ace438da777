import { Skeleton } from '@mantine/core';
import { type Challenge, distanceInMeters, type Place, type Position } from '@wayquest/contracts';
import { memo, useDeferredValue, useMemo } from 'react';
import { useSelector } from 'react-redux';
import { phaseSentence } from '../../../entities/challenges/dates.ts';
import { LazySuggestions } from '../../../entities/challenges/LazySuggestions.tsx';
import { formatDistance } from '../../../entities/challenges/location.ts';
import { useChallengeTranslations } from '../../../entities/challenges/translations.ts';
import { type ParticipationsState, selectOwnParticipation } from '../../../entities/participations/slice.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { isFiltered } from '../address.ts';
import { isInSearchedArea } from '../is-in-searched-area.ts';
import { centerOf, widthOf } from '../map/boxes.ts';
import { selectSearchResult } from '../slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './ResultList.module.css';

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
  const { name, city, state, difficulty, points, position } = challenge;
  const distance = from && position && formatDistance(distanceInMeters(from, position));
  return (
    <li>
      <button type="button" className={classes.item} onClick={() => onChoose(challenge)}>
        <strong>{name}</strong>
        <span>{[[city, state].filter(Boolean).join(', '), distance].filter(Boolean).join(' · ')}</span>
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

interface Props {
  /** The person's position, if known. */
  here: Position | null;
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
export const ResultList = memo(function ResultList({ here, found, onChoose, onRetry }: Props) {
  const t = useTranslations();
  // Deferred: hundreds of rows are rendered in steps, so that the map can be dragged meanwhile.
  const { state, error, challenges: all, searched } = useDeferredValue(useSelector(selectSearchResult));
  const from = found?.position ?? here;
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
  const near = isInSearchedArea(here, searched);
  const suggestions = searched &&
    !narrowed &&
    challenges.length < 3 &&
    widthOf(searched.box) <= townWidth && (
      <LazySuggestions
        at={near && here ? here : centerOf(searched.box)}
        from={near ? here : null}
        existing={challenges}
      />
    );
  if (challenges.length === 0) {
    return (
      <>
        {onRetry && !narrowed && <Empty>{t(near ? 'nothingNear' : 'nothingHere')}</Empty>}
        {suggestions}
      </>
    );
  }
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
