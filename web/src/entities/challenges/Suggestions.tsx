import { Button, Skeleton } from '@mantine/core';
import {
  type Challenge,
  type ChallengeDetails,
  distanceInMeters,
  type Position,
  type Suggestion,
} from '@wayquest/contracts';
import { type ReactNode, useId, useState } from 'react';
import { useSelector } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { useCommonTranslations } from '../../shared/i18n/common.ts';
import { problemCodeOf } from '../../shared/lib/errors.ts';
import { useSignUpToJoin } from '../../shared/lib/intended-join.ts';
import { useSaga } from '../../shared/lib/use-mutation.ts';
import { useResource } from '../../shared/lib/use-resource.ts';
import { Loaded } from '../../shared/ui/Loaded.tsx';
import { FormError } from '../../shared/ui/Message.tsx';
import { selectAuthStatus } from '../auth/slice.ts';
import { joinAnnounced } from '../participations/joining.ts';
import { selectOwnByChallenge } from '../participations/slice.ts';
import { formatDistance } from './location.ts';
import { looksIn, PlacePicture } from './pictures/PlacePicture.tsx';
import type { Look } from './pictures/variation.ts';
import classes from './Suggestions.module.css';
import { areaSentence, textsOf } from './texts.ts';
import { useChallengeTranslations } from './translations.ts';

/** A challenge that a suggestion may be the origin of. */
type Existing = Pick<ChallengeDetails, 'suggestion'>;

/**
 * The suggestions at a position that no challenge was created from, and a function that joins one; the first who joins creates its
 * challenge for everybody.
 *
 * @param at - Null while there is none.
 * @param existing - The challenges on the page.
 */
export function useSuggestions(at: Position | null, existing: readonly Existing[], onJoin?: () => void) {
  const isMember = useSelector(selectAuthStatus) === 'member';
  const own = useSelector(selectOwnByChallenge);
  const navigate = useNavigate();
  const signUpToJoin = useSignUpToJoin();
  const [joined, setJoined] = useState<string>();
  const [unavailableIds, setUnavailableIds] = useState<string[]>([]);
  const joining = useSaga(joinAnnounced);
  // Three decimals are about a hundred meters: enough for a town, and no more than the service has to know.
  const found = useResource(
    'listSuggestions',
    at && { query: { at: `${at.lat.toFixed(3)},${at.lng.toFixed(3)}` } },
  );
  const started = new Set([
    ...existing.map(({ suggestion }) => suggestion),
    ...[...own.values()].map(({ challenge }) => challenge.suggestion),
  ]);
  return {
    found,
    available: found.data?.filter(({ id }) => !started.has(id) && !unavailableIds.includes(id)),
    /** The id of the suggestion that is being joined. */
    joining: joining.state === 'loading' ? joined : undefined,
    error: joining.error,
    join({ id }: Suggestion): void {
      if (!isMember) {
        signUpToJoin(id);
        return;
      }
      setJoined(id);
      joining.send(
        id,
        ({ challengeId }) => {
          onJoin?.();
          navigate(`/challenges/${challengeId}`);
        },
        (error) => {
          if (problemCodeOf(error) === 'suggestion-not-found') setUnavailableIds([...unavailableIds, id]);
        },
      );
    },
  };
}

/** Stands for a challenge's id in the drawings of suggestions; no challenge has it. */
const drawingIdOf = (index: number): number => 1_000_000_000 + index;

/** How the challenges of a list, and the suggestions after them, are drawn: among twelve in a row no drawing occurs twice. */
export function looksWithSuggestions(
  challenges: readonly Challenge[],
  suggestions: readonly Suggestion[],
): { ofChallenge(id: number): Look | undefined; ofSuggestion(index: number): Look | undefined } {
  const drawn = suggestions.map((suggestion, index) => ({ ...suggestion, id: drawingIdOf(index) }));
  const looks = looksIn([...challenges, ...drawn]);
  return { ofChallenge: (id) => looks.get(id), ofSuggestion: (index) => looks.get(drawingIdOf(index)) };
}

interface SuggestionItemProps {
  suggestion: Suggestion;
  /** Its place among those on the page, which its picture depends on. */
  index: number;
  look: Look | undefined;
  /** The person's position for the distance of a place; without it none is shown. */
  from: Position | null;
  shape: 'row' | 'tile';
  /** The id of the suggestion that is being joined. */
  joining: string | undefined;
  onJoin(suggestion: Suggestion): void;
}

/** A suggestion with the button to join it. */
export function SuggestionItem({
  suggestion,
  index,
  look,
  from,
  shape,
  joining,
  onJoin,
}: SuggestionItemProps) {
  const t = useChallengeTranslations();
  const common = useCommonTranslations();
  const id = useId();
  const { name, lang } = textsOf(suggestion);
  const { position, area } = suggestion;
  const distance = from && !area && formatDistance(distanceInMeters(from, position));
  return (
    <li className={classes.suggestion} data-shape={shape}>
      <div className={classes.picture}>
        <PlacePicture challenge={{ ...suggestion, id: index + 1 }} look={look} />
      </div>
      <div className={classes.words}>
        <strong id={id} lang={lang}>
          {name}
        </strong>
        <span>
          {[
            t('suggested'),
            t(suggestion.difficulty),
            common('points', { count: suggestion.points }),
            areaSentence(suggestion) ?? distance,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </div>
      <Button
        className={classes.join ?? ''}
        variant="default"
        aria-describedby={id}
        loading={joining === suggestion.id}
        disabled={joining !== undefined}
        onClick={() => onJoin(suggestion)}
      >
        {t('join')}
      </Button>
    </li>
  );
}

export interface SuggestionsProps {
  /** The center of the suggestions. */
  at: Position;
  /** The person's position for distances; without it none are shown. */
  from: Position | null;
  /** The challenges on the page: a suggestion that one was created from is not shown. */
  existing: readonly Existing[];
  /** A row shows little text beside other rows; a tile shows a picture. */
  shape?: 'row' | 'tile';
  /** Shown if there are no suggestions. */
  none?: ReactNode;
}

const maxSuggestions = 3;

/** Challenges that nobody has created yet, to be joined with one click. */
export default function Suggestions({ at, from, existing, shape = 'row', none = null }: SuggestionsProps) {
  const t = useChallengeTranslations();
  const id = useId();
  const { found, available, joining, error, join } = useSuggestions(at, existing);
  const shown = available?.slice(0, maxSuggestions) ?? [];
  const looks = looksWithSuggestions([], shown);
  const pending = [0, 1, 2].map((row) => <Skeleton key={row} height={96} radius="lg" />);
  if (!available) return <Loaded of={found} className={classes.list ?? ''} pending={pending} />;
  if (available.length === 0) return none;
  return (
    <section className={classes.suggestions} aria-labelledby={`${id}-title`}>
      <p id={`${id}-title`} className={classes.title}>
        {t('suggestions')}
      </p>
      <p className={classes.description}>{t('suggestionsDescription')}</p>
      <ul className={classes.list} data-shape={shape}>
        {shown.map((suggestion, index) => (
          <SuggestionItem
            key={suggestion.id}
            {...{ suggestion, index, from, shape, joining }}
            look={looks.ofSuggestion(index)}
            onJoin={join}
          />
        ))}
      </ul>
      <FormError>{error}</FormError>
    </section>
  );
}
