import { Button } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { ChallengeLine } from '@wayquest/contracts';
import { useDispatch, useSelector } from 'react-redux';
import { selectPendingAction } from '../../../entities/challenge-lines/selectors.ts';
import { completeRequested, leaveRequested } from '../../../entities/challenge-lines/slice.ts';
import { phaseOf, phaseSentence } from '../../../entities/challenges/dates.ts';
import classes from './Actions.module.css';

/** For participants: complete it, or leave it. */
export function OwnPart({ line }: { line: ChallengeLine }) {
  const dispatch = useDispatch();
  const pending = useSelector(selectPendingAction);
  const { challenge, completed } = line;
  const open = phaseOf(challenge) === 'open';
  return (
    <>
      {completed ? (
        <p className={classes.done}>
          <IconCircleCheck size={24} aria-hidden />
          You completed it. The points are yours.
        </p>
      ) : (
        <>
          <p>{open ? "You're in. Been there?" : `You're in. ${phaseSentence(challenge)}.`}</p>
          <Button
            size="lg"
            fullWidth
            disabled={!open}
            loading={pending === 'complete'}
            onClick={() => dispatch(completeRequested(line))}
          >
            Mark as Complete
          </Button>
        </>
      )}
      <Button
        variant="default"
        fullWidth
        loading={pending === 'leave'}
        onClick={() => dispatch(leaveRequested(line))}
      >
        Leave Challenge
      </Button>
    </>
  );
}
