import { IconTrophy } from '@tabler/icons-react';
import type { Challenge, ChallengeDetails, Me, Participation } from '@wayquest/contracts';
import { type ReactNode, Suspense, useCallback, useId, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectIsNew, selectUser, welcomed } from '../../../entities/auth/slice.ts';
import { ChallengeTeaser } from '../../../entities/challenges/ChallengeTeaser.tsx';
import { LazySuggestions } from '../../../entities/challenges/LazySuggestions.tsx';
import { useOpenChallenges } from '../../../entities/challenges/open-challenges.ts';
import { looksIn } from '../../../entities/challenges/pictures/PlacePicture.tsx';
import type { SearchLocation } from '../../../entities/challenges/search-location.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { lazyComponent } from '../../../shared/lib/lazy-loading.ts';
import { type Resource, useResource } from '../../../shared/lib/use-resource.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { useKnownPosition } from '../../../shared/ui/use-position.ts';
import { useBoardTranslations } from '../board-translations.ts';
import { sortByEndDate } from '../open-participations.ts';
import { clearAnswers, readAnswers } from '../welcome-answers.ts';
import classes from './Board.module.css';
import { FriendsSkeleton, RowsSkeleton } from './BoardSkeleton.tsx';

const FriendsLatest = lazyComponent(() => import('./FriendsLatest.tsx'));
const Welcome = lazyComponent(() => import('./Welcome.tsx'));

/** How many of the newest completions are loaded, to leave these challenges out of new ones. */
const maxCompleted = '500';

/**
 * The person's points, rank and points of this month, as a link to the leaderboard; parts that cannot be loaded are
 * left out.
 */
function PointsSummary({ user }: { user: Me }) {
  const t = useBoardTranslations();
  const common = useCommonTranslations();
  const ofAll = useResource('getLeaderboard', { query: { around: 'me' } }).data;
  const ofMonth = useResource('getLeaderboard', { query: { around: 'me', period: 'month' } }).data;
  const allTime = ofAll?.rows.find(({ id }) => id === user.id);
  const month = ofMonth?.rows.find(({ id }) => id === user.id);
  return (
    <Link to="/leaderboard" className={classes.standing}>
      <IconTrophy size={20} stroke={1.75} aria-hidden />
      {common('points', { count: user.points })}
      <span className={classes.rank}>{allTime && t('rank', { rank: allTime.rank })}</span>
      <span className={classes.month}>{ofMonth && t('month', { count: month?.points ?? 0 })}</span>
    </Link>
  );
}

interface PanelProps {
  title: string;
  /** Link to all of them. */
  more: { to: string; label: string };
  children: ReactNode;
}

/** A panel of a member's home page. */
function Panel({ title, more, children }: PanelProps) {
  const titleId = useId();
  return (
    <section className={classes.panel} aria-labelledby={titleId}>
      <div className={classes.top}>
        <h2 id={titleId}>{title}</h2>
        <Link to={more.to}>{more.label}</Link>
      </div>
      {children}
    </section>
  );
}

/** The person's participations, those whose challenge ends first at the top. */
function OpenPanel({ of: { state, error, data, refetch } }: { of: Resource<Participation[]> }) {
  const t = useBoardTranslations();
  const shown = sortByEndDate(data ?? []).slice(0, 3);
  const looks = looksIn(shown.map(({ challenge }) => challenge));
  return (
    <Panel title={t('yours')} more={{ to: '/challenges#your-challenges', label: t('allYours') }}>
      {state === 'failed' && <Failure onRetry={refetch}>{error}</Failure>}
      {(state === 'idle' || state === 'loading') && <RowsSkeleton />}
      {state === 'ready' && shown.length === 0 && <Empty>{t('noneYours')}</Empty>}
      {shown.length > 0 && (
        <ul className={classes.rows}>
          {shown.map(({ id, challenge }) => (
            <li key={id}>
              <ChallengeTeaser challenge={challenge} look={looks.get(challenge.id)} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

interface NewPanelProps {
  user: Me;
  /** The challenges that the person has joined. */
  joined: readonly ChallengeDetails[];
  isJoinedKnown: boolean;
}

/** Challenges of others: nearest to the person or their town, or new anywhere. */
function NewPanel({ user, joined, isJoinedKnown }: NewPanelProps) {
  const t = useBoardTranslations();
  const position = useKnownPosition();
  const { city: town, state: region } = user;
  const where: SearchLocation = position ? { position } : town ? { town, state: region } : null;
  const joinedIds = new Set(joined.map(({ id }) => id));
  const isNew = ({ id, creator }: Challenge) => creator.id !== user.id && !joinedIds.has(id);
  const isWhereKnown = position !== undefined && isJoinedKnown;
  const { state, error, data, from, refetch } = useOpenChallenges(isWhereKnown ? where : undefined, 3, isNew);
  const isReady = state === 'ready';
  const shown = data ?? [];
  const looks = looksIn(shown);
  const none = (
    <Empty action={<Link to="/challenges#add-a-challenge">{t('add')}</Link>}>
      {t(where ? 'noneNear' : 'noneNew')}
    </Empty>
  );
  return (
    <Panel title={t(where ? 'near' : 'newest')} more={{ to: '/challenges', label: t('findMore') }}>
      {state === 'failed' && <Failure onRetry={refetch}>{error}</Failure>}
      {state !== 'failed' && !isReady && <RowsSkeleton />}
      {isReady && shown.length === 0 && from && (
        <LazySuggestions at={from} from={position ?? null} existing={joined} none={none} />
      )}
      {isReady && shown.length === 0 && !from && none}
      {isReady && shown.length > 0 && (
        <ul className={classes.rows}>
          {shown.map((challenge) => (
            <li key={challenge.id}>
              <ChallengeTeaser challenge={challenge} from={from} look={looks.get(challenge.id)} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** A member's home: challenges nearby, friends' activity, challenges in progress, and their rank. */
export default function MemberBoard() {
  const t = useBoardTranslations();
  const user = useSelector(selectUser);
  const userId = user?.id ?? 0;
  const dispatch = useDispatch();
  const isNew = useSelector(selectIsNew);
  const [isWelcomePending, setWelcomePending] = useState(() => readAnswers(userId) !== null);
  const endWelcome = useCallback(() => {
    clearAnswers(userId);
    setWelcomePending(false);
    dispatch(welcomed());
  }, [dispatch, userId]);
  const open = useResource('listParticipations', { query: { completed: 'false', limit: '100' } });
  const done = useResource('listParticipations', { query: { completed: 'true', limit: maxCompleted } });
  if (!user) return null;
  const joined = [...(open.data ?? []), ...(done.data ?? [])].map(({ challenge }) => challenge);
  const hasNoneOpen = open.data !== null && sortByEndDate(open.data).length === 0;
  const panels = [
    <OpenPanel key="own" of={open} />,
    <NewPanel
      key="new"
      user={user}
      joined={joined}
      isJoinedKnown={open.state !== 'loading' && done.state !== 'loading'}
    />,
  ];
  return (
    <div className={classes.board}>
      <div className={classes.head}>
        <p className={classes.hello}>{t('hello', { username: user.username })}</p>
        {user.points > 0 && <PointsSummary user={user} />}
      </div>
      {isNew || isWelcomePending ? (
        <Suspense fallback={<div className={classes.panel} />}>
          <Welcome userId={userId} onDone={endWelcome} />
        </Suspense>
      ) : (
        <>
          <div className={classes.panels}>{hasNoneOpen ? panels.toReversed() : panels}</div>
          <Suspense fallback={<FriendsSkeleton />}>
            <FriendsLatest />
          </Suspense>
        </>
      )}
    </div>
  );
}
