import { Button, Text } from '@mantine/core';
import type { Challenge } from '@wayquest/contracts';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { challengeToJoin, type ReturnTo } from '../../shared/lib/return-to.ts';
import { selectAuthStatus, selectIsSessionKnown, selectUser } from '../auth/slice.ts';
import { phaseOf } from '../challenges/dates.ts';
import { useChallengeTranslations } from '../challenges/translations.ts';
import {
  joinRequested,
  type ParticipationsState,
  selectIsParticipationKnown,
  selectPendingAction,
} from './slice.ts';

interface Props {
  challenge: Challenge;
  /** Where a visitor returns to after signing up; by default the challenge's page. */
  from?: string;
}

/** Lets members join. Visitors sign up first, return here and have then joined. */
export function JoinButton({ challenge, from = `/challenges/${challenge.id}` }: Props) {
  const t = useChallengeTranslations();
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const member = useSelector(selectAuthStatus) === 'member';
  const isSessionKnown = useSelector(selectIsSessionKnown);
  const pending = useSelector(selectPendingAction) === 'join';
  const userId = useSelector(selectUser)?.id;
  const isParticipationKnown = useSelector((state: ParticipationsState) =>
    selectIsParticipationKnown(state, challenge.id, userId),
  );
  const { state: navigationState, ...here } = useLocation();
  const joinsOnArrival = member && isParticipationKnown && challengeToJoin(navigationState) === challenge.id;
  useEffect(() => {
    if (!joinsOnArrival) return;
    // Removes the request to join from the history entry, so that returning later does not join again.
    navigate(here, { replace: true });
    dispatch(joinRequested(challenge.id));
  });
  if (phaseOf(challenge) === 'ended') {
    return (
      <p>
        {t('hasEnded')} <Link to="/challenges">{t('othersAreOpen')}</Link>
      </p>
    );
  }
  const join = () => {
    const state: ReturnTo = { from, joins: challenge.id };
    if (member) dispatch(joinRequested(challenge.id));
    else navigate('/signup', { state });
  };
  return (
    <>
      <Button onClick={join} loading={pending} disabled={!isSessionKnown} fullWidth size="lg">
        {t('join')}
      </Button>
      <Text c="dimmed" size="sm" ta="center">
        {isSessionKnown && !member ? t('needsAccount') : t('worth', { count: challenge.points })}
      </Text>
    </>
  );
}
