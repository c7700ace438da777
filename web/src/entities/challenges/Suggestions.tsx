import { Button, Skeleton } from '@mantine/core';
import { type ChallengeDetails, distanceInMeters, type Position, type Suggestion } from '@wayquest/contracts';
import { useId, useState } from 'react';
import { useSelector } from 'react-redux';
import { useLocation, useNavigate } from 'react-router-dom';
import { currentLanguage } from '../../shared/i18n/catalogue.ts';
import { useCommonTranslations } from '../../shared/i18n/common.ts';
import { problemCodeOf } from '../../shared/lib/errors.ts';
import type { ReturnTo } from '../../shared/lib/return-to.ts';
import { useMutation } from '../../shared/lib/use-mutation.ts';
import { useResource } from '../../shared/lib/use-resource.ts';
import { Loaded } from '../../shared/ui/Loaded.tsx';
import { FormError } from '../../shared/ui/Message.tsx';
import { selectAuthStatus } from '../auth/slice.ts';
import { selectOwnByChallenge } from '../participations/slice.ts';
import { formatDistance } from './location.ts';
import { PlacePicture } from './pictures/PlacePicture.tsx';
import classes from './Suggestions.module.css';
import { useChallengeTranslations } from './translations.ts';

export interface SuggestionsProps {
  /** The center of the suggestions. */
  at: Position;
  /** The person's position for distances; without it none are shown. */
  from: Position | null;
  /** The challenges on the page: a suggestion that one was created from is not shown. */
  existing: readonly Pick<ChallengeDetails, 'suggestion'>[];
  /** A row shows little text beside other rows; a tile shows a picture. */
  shape?: 'row' | 'tile';
  onJoin?: () => void;
}

const maxSuggestions = 3;

/** Challenges that nobody has created yet, to be joined with one click; the first click creates one for everybody. */
export default function Suggestions({ at, from, existing, shape = 'row', onJoin }: SuggestionsProps) {
  const t = useChallengeTranslations();
  const common = useCommonTranslations();
  const isMember = useSelector(selectAuthStatus) === 'member';
  const own = useSelector(selectOwnByChallenge);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const id = useId();
  const [joined, setJoined] = useState<string>();
  const [unavailableIds, setUnavailableIds] = useState<string[]>([]);
  const joining = useMutation('createSuggestedChallenge');
  const language = currentLanguage();
  // Three decimals are about a hundred meters.
  const place = `${at.lat.toFixed(3)},${at.lng.toFixed(3)}`;
  const found = useResource('listSuggestions', { query: { at: place, language } });
  const suggestions = found.data;
  const pending = [0, 1, 2].map((row) => <Skeleton key={row} height={96} radius="lg" />);
  if (!suggestions) return <Loaded of={found} className={classes.list ?? ''} pending={pending} />;
  const started = new Set([
    ...existing.map(({ suggestion }) => suggestion),
    ...[...own.values()].map(({ challenge }) => challenge.suggestion),
  ]);
  const available = suggestions
    .filter(({ id: each }) => !started.has(each) && !unavailableIds.includes(each))
    .slice(0, maxSuggestions);
  if (available.length === 0) return null;
  const join = (suggestion: Suggestion) => {
    const returnTo: ReturnTo = { from: pathname + search };
    if (!isMember) return navigate('/signup', { state: returnTo });
    setJoined(suggestion.id);
    joining.send(
      { body: { suggestion: suggestion.id } },
      (challenge) => {
        onJoin?.();
        const joins: ReturnTo = { ...returnTo, joins: challenge.id };
        navigate(`/challenges/${challenge.id}`, { state: joins });
      },
      (error) => {
        if (problemCodeOf(error) === 'suggestion-not-found')
          setUnavailableIds([...unavailableIds, suggestion.id]);
      },
    );
  };
  return (
    <section className={classes.suggestions} aria-labelledby={`${id}-title`}>
      <p id={`${id}-title`} className={classes.title}>
        {t('suggestions')}
      </p>
      <p className={classes.description}>{t('suggestionsDescription')}</p>
      <ul className={classes.list} data-shape={shape}>
        {available.map((suggestion, index) => (
          <li key={suggestion.id} className={classes.suggestion} data-shape={shape}>
            <div className={classes.picture}>
              <PlacePicture challenge={{ ...suggestion, id: index + 1 }} />
            </div>
            <div className={classes.words}>
              <strong id={`${id}-${index}`}>{suggestion.name}</strong>
              <span>
                {[
                  t('suggested'),
                  t(suggestion.difficulty),
                  common('points', { count: suggestion.points }),
                  // A number must not be separated from its unit.
                  from && formatDistance(distanceInMeters(from, suggestion.position)).replace(' ', '\u00a0'),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </div>
            <Button
              className={classes.join ?? ''}
              variant="default"
              aria-describedby={`${id}-${index}`}
              loading={joining.state === 'loading' && joined === suggestion.id}
              disabled={joining.state === 'loading'}
              onClick={() => join(suggestion)}
            >
              {t('join')}
            </Button>
          </li>
        ))}
      </ul>
      <FormError>{joining.error}</FormError>
    </section>
  );
}
