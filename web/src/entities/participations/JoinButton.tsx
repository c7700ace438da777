import { Button, Text } from '@mantine/core';
import type { Challenge } from '@wayquest/contracts';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { useSignUpToJoin } from '../../shared/lib/intended-join.ts';
import { selectAuthStatus, selectIsSessionKnown } from '../auth/slice.ts';
import { phaseOf } from '../challenges/dates.ts';
import { useChallengeTranslations } from '../challenges/translations.ts';
import { joinRequested, selectPendingAction } from './slice.ts';

/** Lets members join. Visitors sign up first, and have then joined. */
export function JoinButton({ challenge }: { challenge: Challenge }) {
  const t = useChallengeTranslations();
  const dispatch = useDispatch();
  const signUpToJoin = useSignUpToJoin();
  const member = useSelector(selectAuthStatus) === 'member';
  const isSessionKnown = useSelector(selectIsSessionKnown);
  const pending = useSelector(selectPendingAction) === 'join';
  if (phaseOf(challenge) === 'ended') {
    return (
      <p>
        {t('hasEnded')} <Link to="/challenges">{t('othersAreOpen')}</Link>
      </p>
    );
  }
  const join = () => {
    if (member) dispatch(joinRequested(challenge.id));
    else signUpToJoin(challenge.id);
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
