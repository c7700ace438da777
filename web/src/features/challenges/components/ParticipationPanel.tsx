import { Button } from '@mantine/core';
import { IconCircleCheck, IconClock } from '@tabler/icons-react';
import type { Challenge, ChallengeLine } from '@wayquest/contracts';
import { useDispatch, useSelector } from 'react-redux';
import {
  selectPendingAction,
  selectPendingCompletions,
} from '../../../entities/challenge-lines/selectors.ts';
import { completeRequested, leaveRequested } from '../../../entities/challenge-lines/slice.ts';
import { phaseOf, phaseSentence } from '../../../entities/challenges/dates.ts';
import { CheckedIn } from '../../../entities/check-in/CheckedIn.tsx';
import { useTranslations } from '../translations.ts';
import { useCheckIn } from '../use-check-in.ts';
import classes from './Actions.module.css';
import { CheckInChoice } from './CheckInChoice.tsx';

interface Props {
  /** The current challenge; the copy in the participation may be older. */
  challenge: Challenge;
  line: ChallengeLine;
}

/** Actions of a participant. */
export function ParticipationPanel({ challenge, line }: Props) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const pending = useSelector(selectPendingAction);
  const waiting = useSelector(selectPendingCompletions).some(({ lineId }) => lineId === line.id);
  const open = phaseOf(challenge) === 'open';
  const { checkIn, isPossible, wanted, choose } = useCheckIn(challenge, line.userId);
  if (line.completed) {
    return (
      <>
        <p className={classes.done}>
          <IconCircleCheck size={24} aria-hidden />
          {t('isCompleted')}
        </p>
        {line.checkedIn && <CheckedIn />}
      </>
    );
  }
  if (waiting)
    return (
      <p className={classes.waiting} role="status" data-pending>
        <IconClock size={24} aria-hidden />
        {t('waitsForNetwork')}
      </p>
    );
  return (
    <>
      <p>{open ? t('beenThere') : t('joinedButClosed', { phase: phaseSentence(challenge) })}</p>
      <Button
        size="lg"
        fullWidth
        disabled={!open}
        loading={pending === 'complete'}
        onClick={() => dispatch(completeRequested({ line, checkIn }))}
      >
        {t('complete')}
      </Button>
      {open && isPossible && (
        <CheckInChoice isRequired={checkIn === 'required'} wanted={wanted} onChange={choose} />
      )}
    </>
  );
}

export function LeaveButton({ line }: { line: ChallengeLine }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const pending = useSelector(selectPendingAction);
  return (
    <Button
      variant="default"
      fullWidth
      loading={pending === 'leave'}
      onClick={() => dispatch(leaveRequested(line))}
    >
      {t('leave')}
    </Button>
  );
}
