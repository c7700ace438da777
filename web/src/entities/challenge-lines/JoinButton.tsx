import { Button, Text } from '@mantine/core';
import type { Challenge } from '@wayquest/contracts';
import { useDispatch, useSelector } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import type { Arrival } from '../../shared/lib/arrival.ts';
import { selectAuthStatus } from '../auth/selectors.ts';
import { phaseOf } from '../challenges/dates.ts';
import { useChallengeWords } from '../challenges/words.ts';
import { selectPendingAction } from './selectors.ts';
import { joinRequested } from './slice.ts';

interface Props {
  challenge: Challenge;
  /** Where a visitor comes back to; the challenge's own page if not said. */
  from?: string;
}

/** Lets members in; a visitor makes an account first and comes back here. */
export function JoinButton({ challenge, from = `/challenges/${challenge.id}` }: Props) {
  const t = useChallengeWords();
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const member = useSelector(selectAuthStatus) === 'member';
  const pending = useSelector(selectPendingAction) === 'join';
  if (phaseOf(challenge) === 'ended') return <p>{t('hasEnded')}</p>;
  const join = () => {
    const state: Arrival = { from };
    if (member) dispatch(joinRequested(challenge.id));
    else navigate('/signup', { state });
  };
  return (
    <>
      <Button onClick={join} loading={pending} fullWidth size="lg">
        {t('join')}
      </Button>
      <Text c="dimmed" size="sm" ta="center">
        {member ? t('worth', { count: challenge.points }) : t('needsAccount')}
      </Text>
    </>
  );
}
