import { type ChallengeDetails, sceneOf } from '@wayquest/contracts';
import classes from './PlacePicture.module.css';
import { scenes } from './scenes.tsx';

const hours = ['dawn', 'day', 'golden', 'dusk'] as const;

interface Props {
  challenge: Pick<ChallengeDetails, 'id' | 'name' | 'locationName' | 'scene'>;
  /** With the country around it, for a banner. */
  wide?: boolean;
}

/** The picture of a challenge that has no photo: its kind of place, at an hour that its id chooses. */
export function PlacePicture({ challenge, wide = false }: Props) {
  const { id } = challenge;
  return (
    <svg
      className={classes.picture}
      data-hour={hours[id % hours.length]}
      viewBox={wide ? '-300 0 920 200' : '0 0 320 200'}
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
    >
      <path fill="var(--sky)" d="M-300 0h920v200h-920z" />
      <circle cx={60 + ((id * 67) % 200)} cy={44 + ((id * 13) % 26)} r="24" fill="var(--sun)" />
      <path
        fill="var(--hill)"
        d="M-300 118c90-44 190-50 300 10 50-38 104-30 160-8s100-40 160-14c90 30 200 14 300-24v118h-920z"
      />
      <path
        fill="var(--ground)"
        d="M-300 172c100-8 200-22 300-14 70-16 220-18 320-4 100 8 200 0 300 18v28h-920z"
      />
      <path
        fill="var(--tree)"
        d="M-96 166c-16-4-22-25-15-41 6-13 11-19 15-30 4 11 9 17 15 30 7 16 1 37-15 41zm-38 4c-11-3-15-17-10-28 4-9 7-13 10-20 3 7 6 11 10 20 5 11 1 25-10 28zm546-6c-16-4-22-25-15-41 6-13 11-19 15-30 4 11 9 17 15 30 7 16 1 37-15 41zm58 4c-11-3-15-17-10-28 4-9 7-13 10-20 3 7 6 11 10 20 5 11 1 25-10 28z"
      />
      <g transform={id % 3 === 0 ? 'matrix(-1 0 0 1 320 0)' : undefined}>{scenes[sceneOf(challenge)]}</g>
    </svg>
  );
}
