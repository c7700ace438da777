import type { Challenge } from '@wayquest/contracts';
import { useSelector } from 'react-redux';
import { selectUser } from '../auth/slice.ts';
import { ReportButton } from './ReportButton.tsx';
import classes from './Reports.module.css';
import { TakedownRequest } from './TakedownRequest.tsx';

/** The actions against a challenge: report it, or request its removal as the place's owner. */
export function ChallengeReportActions({ challenge: { id, creator } }: { challenge: Challenge }) {
  const me = useSelector(selectUser);
  if (me?.id === creator.id) return null;
  return (
    <div className={classes.about}>
      {me && <ReportButton kind="challenge" id={id} />}
      <TakedownRequest challengeId={id} />
    </div>
  );
}
