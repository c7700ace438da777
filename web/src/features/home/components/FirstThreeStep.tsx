import { Button } from '@mantine/core';
import type { PlaceCategory } from '@wayquest/contracts';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { ChallengeTeaser } from '../../../entities/challenges/ChallengeTeaser.tsx';
import { useOpenChallenges } from '../../../entities/challenges/open-challenges.ts';
import { usePlaceCategoryTranslations } from '../../../entities/challenges/place-category-translations.ts';
import {
  looksWithSuggestions,
  SuggestionItem,
  useSuggestions,
} from '../../../entities/challenges/Suggestions.tsx';
import type { SearchLocation } from '../../../entities/challenges/search-location.ts';
import { currentLanguage } from '../../../shared/i18n/catalogue.ts';
import { Failure, FormError } from '../../../shared/ui/Message.tsx';
import { firstThree } from '../first-three.ts';
import { interestsIn } from '../interests.ts';
import { useWelcomeTranslations } from '../welcome-translations.ts';
import { TilesSkeleton } from './BoardSkeleton.tsx';
import { Step } from './Step.tsx';
import classes from './Welcome.module.css';

/** More than are shown, to choose from. */
const candidateCount = 60;

/** `museums`, `museums or parks`, as in the middle of a sentence. */
function listOfKinds(kinds: string[]): string {
  const language = currentLanguage();
  return new Intl.ListFormat(language, { type: 'disjunction' }).format(
    kinds.map((kind) => kind.toLocaleLowerCase(language)),
  );
}

interface Props {
  /** Undefined until it is known. */
  where: SearchLocation | undefined;
  liked: PlaceCategory[];
  onDone(): void;
}

/** The last step: three challenges and suggestions. */
export function FirstThreeStep({ where, liked, onDone }: Props) {
  const t = useWelcomeTranslations();
  const kinds = usePlaceCategoryTranslations();
  const { state, error, data, from, refetch } = useOpenChallenges(where, candidateCount);
  const isDone = useRef(false);
  const finish = () => {
    isDone.current = true;
  };
  // When it is unmounted: after a click on a challenge it remains until the next page is rendered.
  useEffect(
    () => () => {
      if (isDone.current) onDone();
    },
    [onDone],
  );
  const suggested = useSuggestions(from, data ?? [], finish);
  const areSuggestionsLoading = from !== null && suggested.found.state === 'loading';
  const isReady = state === 'ready' && data !== null && !areSuggestionsLoading;
  const { challenges, suggestions, missesInterests } = firstThree({
    ...{ challenges: data ?? [], suggestions: suggested.available ?? [], liked, from },
  });
  const isEmpty = isReady && challenges.length + suggestions.length === 0;
  const looks = looksWithSuggestions(challenges, suggestions);
  return (
    <Step title={t(isEmpty ? (where ? 'noneNear' : 'none') : 'suggestionsTitle')} takesFocus>
      {state === 'failed' && <Failure onRetry={refetch}>{error}</Failure>}
      {state !== 'failed' && !isReady && <TilesSkeleton />}
      {isReady && suggestions.length > 0 && challenges.length === 0 && <p>{t('beFirst')}</p>}
      {isReady && missesInterests && !isEmpty && (
        <p>{t('noneOfKind', { kinds: listOfKinds(interestsIn(liked).map(({ name }) => kinds(name))) })}</p>
      )}
      {isReady && !isEmpty && (
        <ul className={classes.tiles}>
          {challenges.map((challenge) => (
            <li key={challenge.id}>
              <ChallengeTeaser
                {...{ challenge, from }}
                look={looks.ofChallenge(challenge.id)}
                shape="tile"
                onOpen={finish}
              />
            </li>
          ))}
          {suggestions.map((suggestion, index) => (
            <SuggestionItem
              key={suggestion.id}
              {...{ suggestion, index, from, shape: 'tile', joining: suggested.joining }}
              look={looks.ofSuggestion(index)}
              onJoin={suggested.join}
            />
          ))}
        </ul>
      )}
      <FormError>{suggested.error}</FormError>
      <div className={classes.row}>
        {isEmpty && (
          <Button component={Link} to="/challenges#add-a-challenge" onClick={finish}>
            {t('add')}
          </Button>
        )}
        <Button variant="default" onClick={onDone}>
          {t('done')}
        </Button>
      </div>
    </Step>
  );
}
