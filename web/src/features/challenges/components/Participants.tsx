import { Skeleton } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { Challenge } from '@wayquest/contracts';
import { useCallback, useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectAuthStatus, selectUser } from '../../../entities/auth/selectors.ts';
import { selectParticipants, selectParticipantsState } from '../../../entities/challenge-lines/selectors.ts';
import { participantsRequested } from '../../../entities/challenge-lines/slice.ts';
import { useChallengeWords } from '../../../entities/challenges/words.ts';
import { Empty, Failure } from '../../../shared/ui/Message.tsx';
import { UserAvatar } from '../../../shared/ui/UserAvatar.tsx';
import { useCommonWords } from '../../../shared/words/common.ts';
import { useWords } from '../words.ts';
import classes from './Participants.module.css';

function List({ onRetry }: { onRetry: () => void }) {
  const t = useWords();
  const ofChallenge = useChallengeWords();
  const common = useCommonWords();
  const participants = useSelector(selectParticipants);
  const state = useSelector(selectParticipantsState);
  if (state === 'failed') {
    return <Failure onRetry={onRetry}>{t('participantsFailed')}</Failure>;
  }
  if (state !== 'ready') return <Skeleton height={76} radius="lg" />;
  if (participants.length === 0) return <Empty>{t('noParticipants')}</Empty>;
  return (
    <ul className={classes.list} aria-label={t('participants')}>
      {participants.map(({ id, user, completed }) => (
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
  );
}

/** Who takes part in a challenge. */
export function Participants({ challenge: { id: challengeId } }: { challenge: Challenge }) {
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
      <h2 id="participants-title">{t('participants')}</h2>
      <List onRetry={load} />
    </section>
  );
}
