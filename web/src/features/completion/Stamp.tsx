import type { ChallengeDetails } from '@wayquest/contracts';
import type { RefObject } from 'react';
import { PlacePicture } from '../../entities/challenges/pictures/PlacePicture.tsx';
import classes from './Stamp.module.css';

interface Props {
  challenge: ChallengeDetails;
  /** The text around the picture. */
  ref: RefObject<HTMLDivElement | null>;
}

/** The completed challenge's kind of place, as a stamp. */
export function Stamp({ challenge, ref }: Props) {
  return (
    <div className={classes.stamp}>
      <div ref={ref} className={classes.picture}>
        <PlacePicture challenge={challenge} />
      </div>
    </div>
  );
}
