import { Paper, Skeleton } from '@mantine/core';
import type { Challenge } from '@wayquest/contracts';
import { useSelector } from 'react-redux';
import { FormError } from '../../../shared/ui/FormError.tsx';
import { selectAuthStatus, selectUser } from '../../auth/selectors.ts';
import {
  type LinesState,
  selectActionError,
  selectOwnLine,
  selectParticipants,
} from '../../challenge-lines/selectors.ts';
import classes from './Actions.module.css';
import { DeleteButton } from './DeleteButton.tsx';
import { JoinButton } from './JoinButton.tsx';
import { OwnPart } from './OwnPart.tsx';

/** What the person can do with a challenge. */
export function Actions({ challenge }: { challenge: Challenge }) {
  const status = useSelector(selectAuthStatus);
  const admin = useSelector(selectUser)?.admin;
  const line = useSelector((state: LinesState) => selectOwnLine(state, challenge.id));
  const participants = useSelector(selectParticipants);
  const error = useSelector(selectActionError);
  const asking = !participants || participants.state === 'loading';
  if (status === 'starting' || (status === 'member' && asking)) return <Skeleton height={140} radius="lg" />;
  return (
    <Paper className={classes.card} radius="lg">
      {line ? <OwnPart line={line} /> : <JoinButton challenge={challenge} />}
      {error && <FormError>{error}</FormError>}
      {admin && <DeleteButton challenge={challenge} />}
    </Paper>
  );
}
