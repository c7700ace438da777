import { Button } from '@mantine/core';
import { IconCircleCheck, IconClock } from '@tabler/icons-react';
import { type Challenge, checkInMeters, type Participation } from '@wayquest/contracts';
import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { phaseOf, phaseSentence } from '../../../entities/challenges/dates.ts';
import { formatDistance } from '../../../entities/challenges/location.ts';
import { areaSentence } from '../../../entities/challenges/texts.ts';
import { CheckInBadge } from '../../../entities/check-in/CheckInBadge.tsx';
import { useCheckInTranslations } from '../../../entities/check-in/translations.ts';
import {
  type CheckIn,
  completeRequested,
  leaveRequested,
  selectPendingAction,
  selectPendingCompletions,
} from '../../../entities/participations/slice.ts';
import { safeLocalStorage } from '../../../shared/lib/storage.ts';
import { ExplainedCheckbox } from '../../../shared/ui/ExplainedCheckbox.tsx';
import { useTranslations } from '../translations.ts';
import classes from './Actions.module.css';

interface CheckInChoiceProps {
  /** Whether the creator requires a check-in: then there is no choice. */
  isRequired: boolean;
  /** 'in Nairobi', if that is where it counts instead of near a place. */
  area: string | undefined;
  isChosen: boolean;
  onChange(isChosen: boolean): void;
}

/** The choice to check in when completing a challenge. */
function CheckInChoice({ isRequired, area, isChosen, onChange }: CheckInChoiceProps) {
  const t = useCheckInTranslations();
  if (isRequired)
    return (
      <p>
        {area ? t('requiredInArea', { area }) : t('required', { distance: formatDistance(checkInMeters) })}
      </p>
    );
  return (
    <ExplainedCheckbox
      name="check-in"
      label={t('checkIn')}
      explanation={t('description')}
      checked={isChosen}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}

const key = 'wayquest-check-in';

/** Whether a user chose to check in, in this browser. */
const checkInMemory = {
  read(userId: number): boolean {
    return safeLocalStorage.getItem(key) === String(userId);
  },
  write(userId: number, isChosen: boolean): void {
    if (isChosen) safeLocalStorage.setItem(key, String(userId));
    else safeLocalStorage.removeItem(key);
  },
};

/** Whether somebody checks in with a challenge: if its creator requires it, or as they chose in this browser. */
function useCheckIn({ position, checkInRequired = false }: Challenge, userId: number) {
  const [isChosen, setChosen] = useState(() => checkInMemory.read(userId));
  const choose = (next: boolean) => {
    checkInMemory.write(userId, next);
    setChosen(next);
  };
  const chosen: CheckIn = isChosen ? 'chosen' : 'no';
  const checkIn: CheckIn = checkInRequired ? 'required' : chosen;
  return { checkIn: position ? checkIn : 'no', isPossible: position !== null, isChosen, choose } as const;
}

/** Whether a completion waits to be sent. */
const useIsWaiting = ({ id }: Participation): boolean =>
  useSelector(selectPendingCompletions).some(({ participationId }) => participationId === id);

interface Props {
  /** The current challenge; the copy in the participation may be older. */
  challenge: Challenge;
  participation: Participation;
}

/** Actions of a participant. */
export function ParticipationPanel({ challenge, participation }: Props) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const pending = useSelector(selectPendingAction);
  const waiting = useIsWaiting(participation);
  const open = phaseOf(challenge) === 'open';
  const { checkIn, isPossible, isChosen, choose } = useCheckIn(challenge, participation.userId);
  if (participation.completed) {
    return (
      <>
        <p className={classes.done}>
          <IconCircleCheck size={24} aria-hidden />
          {t('isCompleted')}
        </p>
        {participation.checkedIn && <CheckInBadge />}
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
      <p>{open ? t('joinedOpen') : t('joinedButClosed', { phase: phaseSentence(challenge) })}</p>
      <Button
        size="lg"
        fullWidth
        disabled={!open}
        loading={pending === 'complete'}
        onClick={() => dispatch(completeRequested({ participation, checkIn }))}
      >
        {t('complete')}
      </Button>
      {open && isPossible && (
        <CheckInChoice
          isRequired={checkIn === 'required'}
          area={areaSentence(challenge)}
          isChosen={isChosen}
          onChange={choose}
        />
      )}
    </>
  );
}

/** Nothing for a completed challenge, also while its completion waits to be sent: what was earned stays. */
export function LeaveButton({ participation }: { participation: Participation }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const pending = useSelector(selectPendingAction);
  if (useIsWaiting(participation) || !participation.can?.leave) return null;
  return (
    <Button
      variant="default"
      fullWidth
      loading={pending === 'leave'}
      onClick={() => dispatch(leaveRequested(participation))}
    >
      {t('leave')}
    </Button>
  );
}
