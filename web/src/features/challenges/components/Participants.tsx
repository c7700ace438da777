import { Button, Skeleton } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { Challenge } from '@wayquest/contracts';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectAuthStatus, selectUser } from '../../../entities/auth/selectors.ts';
import { selectParticipants, selectParticipantsState } from '../../../entities/challenge-lines/selectors.ts';
import { participantsRequested } from '../../../entities/challenge-lines/slice.ts';
import { useChallengeWords } from '../../../entities/challenges/words.ts';
import { selectFriends } from '../../../entities/friends/selectors.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { UserAvatar } from '../../../shared/ui/UserAvatar.tsx';
import { useCommonWords } from '../../../shared/words/common.ts';
import { useWords } from '../words.ts';
import classes from './Participants.module.css';

/** So many are shown at first, and more at a time. */
const step = 24;

function List({ onRetry }: { onRetry: () => void }) {
  const t = useWords();
  const ofChallenge = useChallengeWords();
  const common = useCommonWords();
  const participants = useSelector(selectParticipants);
  const state = useSelector(selectParticipantsState);
  const friends = useSelector(selectFriends);
  const myId = useSelector(selectUser)?.id;
  const [most, setMost] = useState(step);
  const familiarFirst = useMemo(() => {
    const known = new Set(friends.map(({ id }) => id));
    const rank = (id: number) => (id === myId ? 0 : known.has(id) ? 1 : 2);
    return participants.toSorted((one, other) => rank(one.user.id) - rank(other.user.id));
  }, [participants, friends, myId]);
  if (state === 'failed') {
    return <Failure onRetry={onRetry}>{t('participantsFailed')}</Failure>;
  }
  if (state !== 'ready') return <Skeleton height={76} radius="lg" />;
  if (participants.length === 0) return <Empty>{t('noParticipants')}</Empty>;
  return (
    <>
      <ul className={classes.list} aria-label={t('participants')}>
        {familiarFirst.slice(0, most).map(({ id, user, completed }) => (
          <li key={id} className={classes.person}>
            <UserAvatar user={user} size={44} />
            <span className={classes.name}>
              <Link to={`/users/${user.id}`}>{user.username}</Link>
              <span className={classes.points}>{common('points', { count: user.points })}</span>
            </span>
            {completed && (
              <IconCircleCheck
                className={classes.done}
                size={24}
                aria-label={ofChallenge('completed')}
                role="img"
              />
            )}
          </li>
        ))}
      </ul>
      {participants.length > most && (
        <Button className={classes.more ?? ''} variant="default" onClick={() => setMost(most + step)}>
          {t('moreParticipants', { count: participants.length - most })}
        </Button>
      )}
    </>
  );
}

/** Who takes part in a challenge. */
export function Participants({ challenge: { id: challengeId, participants } }: { challenge: Challenge }) {
  const t = useWords();
  const dispatch = useDispatch();
  const starting = useSelector(selectAuthStatus) === 'starting';
  const userId = useSelector(selectUser)?.id;
  const load = useCallback(() => {
    if (!starting) dispatch(participantsRequested({ challengeId, userId }));
  }, [dispatch, starting, challengeId, userId]);
  useEffect(load, [load]);
  return (
    <section className={classes.section} aria-labelledby="participants-title">
      <div className={classes.head}>
        <h2 id="participants-title">{t('participants')}</h2>
        {participants > 0 && <span className={classes.points}>{t('taking', { count: participants })}</span>}
      </div>
      <List onRetry={load} />
    </section>
  );
}
