import { Button, TextInput } from '@mantine/core';
import { IconCurrentLocation } from '@tabler/icons-react';
import { type Scene, sceneOf } from '@wayquest/contracts';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { Link } from 'react-router-dom';
import { userReceived, welcomed } from '../../../entities/auth/slice.ts';
import { ChallengeTeaser } from '../../../entities/challenges/ChallengeTeaser.tsx';
import { openChallenges, type Whereabouts } from '../../../entities/challenges/open-challenges.ts';
import { useSceneWords } from '../../../entities/challenges/scene-words.ts';
import { useAsked } from '../../../shared/lib/use-asked.ts';
import { useChange } from '../../../shared/lib/use-change.ts';
import { FormError } from '../../../shared/ui/FormError.tsx';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { useNearMe } from '../../../shared/ui/use-near-me.ts';
import { useWelcomeWords } from '../welcome-words.ts';
import { TilesSkeleton } from './BoardSkeleton.tsx';
import classes from './Welcome.module.css';

/** More than are shown, to choose from. */
const looked = 60;

interface StepProps {
  title: string;
  /** Not of the first step: nobody was anywhere else. */
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

function Where({ onKnown }: { onKnown(where: Whereabouts): void }) {
  const t = useWelcomeWords();
  const dispatch = useDispatch();
  const [town, setTown] = useState('');
  const { ask, asking } = useNearMe((position) => onKnown({ position }));
  const saving = useChange();
  const keep = (event: FormEvent) => {
    event.preventDefault();
    const city = town.trim();
    return saving.make(
      (client) => client.updateMe({ body: { city } }),
      (me) => {
        dispatch(userReceived(me));
        onKnown({ town: city });
      },
    );
  };
  return (
    <Step title={t('where')}>
      <p>{t('whereStory')}</p>
      <div className={classes.row}>
        <Button leftSection={<IconCurrentLocation size={18} aria-hidden />} loading={asking} onClick={ask}>
          {t('here')}
        </Button>
        <form className={classes.town} onSubmit={keep}>
          <TextInput
            label={t('town')}
            description={t('townHint')}
            maxLength={80}
            value={town}
            onChange={({ currentTarget }) => setTown(currentTarget.value)}
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
      <FormError>{saving.error}</FormError>
      <Button variant="subtle" onClick={() => onKnown(null)}>
        {t('skip')}
      </Button>
    </Step>
  );
}

/** The types of places of the specification, each with the kinds that are most like it. */
const likings = [
  {
    name: 'park',
    scenes: ['park', 'garden', 'forest', 'mountain', 'viewpoint', 'water', 'beach', 'harbour', 'farm', 'zoo'],
  },
  { name: 'museum', scenes: ['museum', 'school'] },
  { name: 'cinema', scenes: ['cinema', 'stage'] },
  {
    name: 'attraction',
    scenes: ['attraction', 'monument', 'street', 'house', 'castle', 'church', 'temple', 'bridge', 'station'],
  },
  { name: 'club', scenes: ['club', 'sports', 'playground'] },
  { name: 'library', scenes: ['library'] },
  { name: 'restaurant', scenes: ['restaurant', 'cafe', 'market', 'shop'] },
] as const satisfies { name: Scene; scenes: Scene[] }[];
type Liking = (typeof likings)[number];

function Likes({ onChosen }: { onChosen(liked: Scene[]): void }) {
  const t = useWelcomeWords();
  const kinds = useSceneWords();
  const [liked, setLiked] = useState<Liking[]>([]);
  const turn = (liking: Liking) =>
    setLiked(liked.includes(liking) ? liked.filter((each) => each !== liking) : [...liked, liking]);
  return (
    <Step title={t('likes')} takesFocus>
      <ul className={classes.kinds}>
        {likings.map((liking) => (
          <li key={liking.name}>
            <Button
              variant={liked.includes(liking) ? 'filled' : 'default'}
              aria-pressed={liked.includes(liking)}
              onClick={() => turn(liking)}
            >
              {kinds(liking.name)}
            </Button>
          </li>
        ))}
      </ul>
      <div className={classes.row}>
        <Button onClick={() => onChosen(liked.flatMap(({ scenes }): readonly Scene[] => scenes))}>
          {t('show')}
        </Button>
      </div>
    </Step>
  );
}

function First({ where, liked, onDone }: { where: Whereabouts; liked: Scene[]; onDone(): void }) {
  const t = useWelcomeWords();
  const { state, error, answer, again } = useAsked(JSON.stringify(where), (api) =>
    openChallenges(api, where, looked),
  );
  const isLiked = (challenge: NonNullable<typeof answer>[number]) => liked.includes(sceneOf(challenge));
  const found = answer ?? [];
  const shown = [...found.filter(isLiked), ...found.filter((each) => !isLiked(each))].slice(0, 3);
  return (
    <Step title={t('three')} takesFocus>
      {state === 'failed' && <Failure onRetry={again}>{error}</Failure>}
      {(state === 'idle' || state === 'loading') && <TilesSkeleton />}
      {state === 'ready' && shown.length === 0 && (
        <Empty action={<Link to="/challenges#add-a-challenge">{t('add')}</Link>}>{t('none')}</Empty>
      )}
      {shown.length > 0 && (
        <ul className={classes.tiles}>
          {shown.map((challenge) => (
            <li key={challenge.id}>
              <ChallengeTeaser challenge={challenge} shape="tile" />
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

/** The first minute of a new member: where they are, what they like, and three challenges to begin with. */
export default function Welcome() {
  const dispatch = useDispatch();
  const [where, setWhere] = useState<Whereabouts>();
  const [liked, setLiked] = useState<Scene[]>();
  if (where === undefined) return <Where onKnown={setWhere} />;
  if (!liked) return <Likes onChosen={setLiked} />;
  return <First where={where} liked={liked} onDone={() => dispatch(welcomed())} />;
}
