import '@mantine/core/styles/Input.layer.css';
import { Button } from '@mantine/core';
import { IconCurrentLocation } from '@tabler/icons-react';
import {
  type Challenge,
  distanceInMeters,
  type PlaceCategory,
  type Position,
  placeCategoryOf,
  textLimits,
} from '@wayquest/contracts';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { Link } from 'react-router-dom';
import { usePersistedFields } from '../../../entities/auth/form-draft.ts';
import { userReceived } from '../../../entities/auth/slice.ts';
import { ChallengeTeaser } from '../../../entities/challenges/ChallengeTeaser.tsx';
import { LazySuggestions } from '../../../entities/challenges/LazySuggestions.tsx';
import { hasFewNearby, nearbyRadius, walkingDistance } from '../../../entities/challenges/location.ts';
import { useOpenChallenges } from '../../../entities/challenges/open-challenges.ts';
import { usePlaceCategoryTranslations } from '../../../entities/challenges/place-category-translations.ts';
import type { SearchLocation } from '../../../entities/challenges/search-location.ts';
import { catalogue } from '../../../shared/i18n/catalogue.ts';
import english from '../../../shared/i18n/en/welcome.ts';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { LimitedTextInput } from '../../../shared/ui/limited-text.tsx';
import { Empty, Failure, FormError } from '../../../shared/ui/Message.tsx';
import { useKnownPosition, useNearMe } from '../../../shared/ui/use-position.ts';
import { readAnswers, storeAnswers, type WelcomeAnswers } from '../welcome-answers.ts';
import { TilesSkeleton } from './BoardSkeleton.tsx';
import classes from './Welcome.module.css';

const { useTranslations } = catalogue('welcome', english);

/** More than are shown, to choose from. */
const candidateCount = 60;

/** Chooses three challenges: liked and nearby ones first, then others in their order. */
function choose(found: Challenge[], liked: PlaceCategory[], from: Position | null): Challenge[] {
  const distanceTo = ({ position }: Challenge) => (from && position ? distanceInMeters(from, position) : 0);
  const isLiked = (challenge: Challenge) =>
    liked.includes(placeCategoryOf(challenge)) && distanceTo(challenge) <= nearbyRadius;
  const chosen = [...found.filter(isLiked), ...found.filter((each) => !isLiked(each))].slice(0, 3);
  return chosen.sort((a, b) => distanceTo(a) - distanceTo(b));
}

interface StepProps {
  title: string;
  /** Not in the first step, which was not navigated to. */
  takesFocus?: boolean;
  children: ReactNode;
}

function Step({ title, takesFocus = false, children }: StepProps) {
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <section className={classes.step} aria-labelledby={titleId}>
      <h2 id={titleId} ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}

function Where({ onKnown }: { onKnown(where: SearchLocation): void }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const [{ town }, write] = usePersistedFields('town', { town: '' });
  const { request, isRequesting, failure } = useNearMe((position) => onKnown({ position }));
  const saving = useMutation('updateMe');
  const submitTown = (event: FormEvent) => {
    event.preventDefault();
    const city = town.trim();
    saving.send({ body: { city } }, (me) => {
      write({ town: '' });
      dispatch(userReceived(me));
      onKnown({ town: city });
    });
  };
  return (
    <Step title={t('where')}>
      <p>{t('whereDescription')}</p>
      <div className={classes.row}>
        <Button
          leftSection={<IconCurrentLocation size={18} aria-hidden />}
          loading={isRequesting}
          onClick={request}
        >
          {t('here')}
        </Button>
        <form className={classes.town} onSubmit={submitTown}>
          <LimitedTextInput
            label={t('town')}
            description={t('townHint')}
            limit={textLimits.city}
            value={town}
            onChange={({ currentTarget }) => write({ town: currentTarget.value })}
          />
          <Button
            type="submit"
            variant="default"
            loading={saving.state === 'loading'}
            disabled={!town.trim()}
          >
            {t('thisTown')}
          </Button>
        </form>
      </div>
      <FormError>
        {saving.error ?? (failure && t(failure === 'denied' ? 'positionDenied' : 'positionFailed'))}
      </FormError>
      <Button variant="subtle" onClick={() => onKnown(null)}>
        {t('skip')}
      </Button>
    </Step>
  );
}

/** The specification's types of places, each with the most similar kinds. */
const interests = [
  {
    name: 'park',
    placeCategories: [
      'park',
      'garden',
      'forest',
      'mountain',
      'viewpoint',
      'water',
      'beach',
      'harbour',
      'farm',
      'zoo',
    ],
  },
  { name: 'museum', placeCategories: ['museum', 'school'] },
  { name: 'cinema', placeCategories: ['cinema', 'stage'] },
  {
    name: 'attraction',
    placeCategories: [
      'attraction',
      'monument',
      'street',
      'house',
      'castle',
      'church',
      'temple',
      'bridge',
      'station',
    ],
  },
  { name: 'club', placeCategories: ['club', 'sports', 'playground'] },
  { name: 'library', placeCategories: ['library'] },
  { name: 'restaurant', placeCategories: ['restaurant', 'cafe', 'market', 'shop'] },
] as const satisfies { name: PlaceCategory; placeCategories: PlaceCategory[] }[];
type Interest = (typeof interests)[number];

function InterestsStep({ onChosen }: { onChosen(liked: PlaceCategory[]): void }) {
  const t = useTranslations();
  const kinds = usePlaceCategoryTranslations();
  const [liked, setLiked] = useState<Interest[]>([]);
  const toggle = (liking: Interest) =>
    setLiked(liked.includes(liking) ? liked.filter((each) => each !== liking) : [...liked, liking]);
  return (
    <Step title={t('interests')} takesFocus>
      <ul className={classes.kinds}>
        {interests.map((liking) => (
          <li key={liking.name}>
            <Button
              variant={liked.includes(liking) ? 'filled' : 'default'}
              aria-pressed={liked.includes(liking)}
              onClick={() => toggle(liking)}
            >
              {kinds(liking.name)}
            </Button>
          </li>
        ))}
      </ul>
      <div className={classes.row}>
        <Button
          onClick={() =>
            onChosen(liked.flatMap(({ placeCategories }): readonly PlaceCategory[] => placeCategories))
          }
        >
          {t('show')}
        </Button>
      </div>
    </Step>
  );
}

interface FirstProps {
  /** Undefined until it is known. */
  where: SearchLocation | undefined;
  liked: PlaceCategory[];
  onDone(): void;
}

function SuggestionsStep({ where, liked, onDone }: FirstProps) {
  const t = useTranslations();
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
  const shown = choose(data ?? [], liked, from);
  const isEmptyTown = from && hasFewNearby(from, shown, walkingDistance);
  return (
    <Step title={t('suggestionsTitle')} takesFocus>
      {state === 'failed' && <Failure onRetry={refetch}>{error}</Failure>}
      {(state === 'idle' || state === 'loading') && <TilesSkeleton />}
      {state === 'ready' && shown.length === 0 && from && <p>{t('noneNear')}</p>}
      {state === 'ready' && isEmptyTown && (
        <LazySuggestions at={from} from={from} existing={shown} shape="tile" onJoin={finish} />
      )}
      {state === 'ready' && shown.length === 0 && !from && (
        <Empty
          action={
            <Link to="/challenges#add-a-challenge" onClick={finish}>
              {t('add')}
            </Link>
          }
        >
          {t(where ? 'noneNear' : 'none')}
        </Empty>
      )}
      {shown.length > 0 && (
        <ul className={classes.tiles}>
          {shown.map((challenge) => (
            <li key={challenge.id}>
              <ChallengeTeaser
                challenge={challenge}
                shape="tile"
                onOpen={finish}
                {...(where && 'position' in where && { from: where.position })}
              />
            </li>
          ))}
        </ul>
      )}
      <div className={classes.row}>
        <Button variant="default" onClick={onDone}>
          {t('done')}
        </Button>
      </div>
    </Step>
  );
}

interface Props {
  userId: number;
  onDone(): void;
}

/** The welcome of a new member: where they are, what they like, and three challenges. */
export default function Welcome({ userId, onDone }: Props) {
  const [{ where, liked }, setAnswered] = useState<WelcomeAnswers>(() => readAnswers(userId) ?? {});
  const [located, setLocated] = useState<Position>();
  const known = useKnownPosition();
  useEffect(
    () => storeAnswers(userId, { ...(where !== undefined && { where }), ...(liked && { liked }) }),
    [userId, where, liked],
  );
  const answerWhere = (whereabouts: SearchLocation) => {
    const isHere = whereabouts !== null && 'position' in whereabouts;
    if (isHere) setLocated(whereabouts.position);
    setAnswered({ where: isHere ? 'here' : whereabouts });
  };
  if (where === undefined) return <Where onKnown={answerWhere} />;
  if (!liked) return <InterestsStep onChosen={(chosen) => setAnswered({ where, liked: chosen })} />;
  const position = located ?? known;
  const here = position ? { position } : position;
  return <SuggestionsStep where={where === 'here' ? here : where} liked={liked} onDone={onDone} />;
}
