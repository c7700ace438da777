import { type ChallengeDetails, sceneOf } from '@wayquest/contracts';
import { Backdrop } from './Backdrop.tsx';
import classes from './PlacePicture.module.css';
import { scenes } from './scenes.tsx';
import { variationOf } from './variation.ts';

interface Props {
  challenge: Pick<ChallengeDetails, 'id' | 'name' | 'locationName' | 'scene'>;
  /** Extended at the sides, for a banner. */
  wide?: boolean;
}

/**
 * The picture of a challenge without a photo: its kind of place, at an hour and in a composition derived from its id.
 */
export function PlacePicture({ challenge, wide = false }: Props) {
  const scene = sceneOf(challenge);
  const { hour, paint, ...variation } = variationOf(challenge.id);
  return (
    <svg
      className={classes.picture}
      data-scene={scene}
      data-hour={hour}
      data-paint={paint}
      viewBox={wide ? '-300 0 920 200' : '0 0 320 200'}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <Backdrop hour={hour} {...variation} />
      {scenes[scene](variation)}
    </svg>
  );
}
