import { Button, Skeleton } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { Challenge } from '@wayquest/contracts';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectAuthStatus, selectUser } from '../../../entities/auth/slice.ts';
import { phaseOf } from '../../../entities/challenges/dates.ts';
import { useChallengeTranslations } from '../../../entities/challenges/translations.ts';
import { CheckInBadge } from '../../../entities/check-in/CheckInBadge.tsx';
import { selectFriends } from '../../../entities/friends/slice.ts';
import {
  participantsRequested,
  selectParticipants,
  selectParticipantsState,
} from '../../../entities/participations/slice.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { Failure } from '../../../shared/ui/Message.tsx';
import { UserAvatar } from '../../../shared/ui/UserAvatar.tsx';
import { useTranslations } from '../translations.ts';
import classes from './Participants.module.css';

/** How many are shown at first, and how many more at a time. */
const step = 24;
/** The server's page size, and its maximum number of people in a query. */
const page = 500;
const maxRequested = 100;

function List({ challenge, onRetry }: { challenge: Challenge; onRetry: () => void }) {
  const t = useTranslations();
  const ofChallenge = useChallengeTranslations();
  const common = useCommonTranslations();
  const listed = useSelector(selectParticipants);
  const state = useSelector(selectParticipantsState);
  const friends = useSelector(selectFriends);
  const me = useSelector(selectUser);
  const myId = me?.id;
  const [visibleCount, setVisibleCount] = useState(step);
  // With very many participants they may be on a later page.
  const isIncomplete = listed.length >= page;
  const priorityIds = [myId ?? [], friends.map(({ id }) => id)].flat().slice(0, maxRequested).join();
  const query = { challengeId: String(challenge.id), ids: priorityIds };
  const { data } = useResource('listParticipations', isIncomplete && priorityIds ? { query } : null);
  const participants = useMemo(() => {
    const known = new Set(friends.map(({ id }) => id));
    const rank = (id: number) => (id === myId ? 0 : known.has(id) ? 1 : 2);
    const all = new Map(
      [...listed, ...(data ?? [])].map((participation) => [participation.id, participation]),
    );
    return [...all.values()].sort((one, other) => rank(one.user.id) - rank(other.user.id));
  }, [listed, data, friends, myId]);
  const total = Math.max(participants.length, isIncomplete ? challenge.participants : 0);
  if (state === 'failed') {
    return <Failure onRetry={onRetry}>{t('participantsFailed')}</Failure>;
  }
  if (state !== 'ready') return <Skeleton height={76} radius="lg" />;
  if (participants.length === 0) {
    const emptyKey = phaseOf(challenge) === 'ended' ? 'nobodyTookPart' : 'noParticipants';
    return <p className={classes.none}>{t(challenge.participants > 0 ? 'participantsHidden' : emptyKey)}</p>;
  }
  return (
    <>
      <ul className={classes.list} aria-label={t('participants')}>
        {participants.slice(0, visibleCount).map(({ id, user, completed, checkedIn }) => (
          <li key={id} className={classes.person}>
            <UserAvatar user={user} size={44} />
            <span className={classes.name}>
              <Link to={`/users/${user.id}`}>{user.username}</Link>
              <span className={classes.points}>
                {common('points', { count: user.id === myId ? (me?.points ?? user.points) : user.points })}
              </span>
              {checkedIn && <CheckInBadge />}
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
      {participants.length > visibleCount && (
        <Button
          className={classes.more ?? ''}
          variant="default"
          onClick={() => setVisibleCount(visibleCount + step)}
        >
          {t('moreParticipants', { count: total - visibleCount })}
        </Button>
      )}
      {participants.length <= visibleCount && total > participants.length && (
        <p>{t('beyond', { count: total - participants.length })}</p>
      )}
    </>
  );
}

/** The participants of a challenge. */
export function Participants({ challenge }: { challenge: Challenge }) {
  const { id: challengeId } = challenge;
  const t = useTranslations();
  const dispatch = useDispatch();
  const starting = useSelector(selectAuthStatus) === 'starting';
  const userId = useSelector(selectUser)?.id;
  const load = useCallback(() => {
    if (!starting) dispatch(participantsRequested({ challengeId, userId }));
  }, [dispatch, starting, challengeId, userId]);
  useEffect(load, [load]);
  // The challenge's own count is updated a moment later.
  const listed = useSelector(selectParticipants).filter(
    (participation) => participation.challengeId === challengeId,
  ).length;
  const participants = Math.max(challenge.participants, listed);
  return (
    <section className={classes.section} aria-labelledby="participants-title">
      <div className={classes.head}>
        <h2 id="participants-title">{t('participants')}</h2>
        {participants > 0 && <span className={classes.points}>{t('taking', { count: participants })}</span>}
      </div>
      <List challenge={challenge} onRetry={load} />
    </section>
  );
}
