import type { ChallengeDetails } from '@wayquest/contracts';
import classes from './PlacePicture.module.css';
import { sceneOf } from './scene-of.ts';
import { scenes } from './scenes.tsx';

const hours = ['dawn', 'day', 'golden', 'dusk'] as const;

interface Props {
  challenge: Pick<ChallengeDetails, 'id' | 'name' | 'locationName'>;
}

/** The picture of a challenge that has no photo: its kind of place, at an hour that its id chooses. */
export function PlacePicture({ challenge }: Props) {
  const { id } = challenge;
  return (
    <svg
      className={classes.picture}
      data-hour={hours[id % hours.length]}
      viewBox="0 0 320 200"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
    >
      <path fill="var(--sky)" d="M0 0h320v200H0z" />
      <circle cx={60 + ((id * 67) % 200)} cy={44 + ((id * 13) % 26)} r="24" fill="var(--sun)" />
      <path fill="var(--hill)" d="M0 128c50-38 104-30 160-8s100-40 160-14v94H0z" />
      <path fill="var(--ground)" d="M0 158c70-16 220-18 320-4v46H0z" />
      <g transform={id % 3 === 0 ? 'matrix(-1 0 0 1 320 0)' : undefined}>{scenes[sceneOf(challenge)]}</g>
    </svg>
  );
}
