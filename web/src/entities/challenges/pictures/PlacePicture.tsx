import { type ChallengeDetails, type PlaceCategory, placeCategoryOf } from '@wayquest/contracts';
import type { JSX } from 'react';
import classes from './PlacePicture.module.css';
import { Birds, Cloud, Cypress, type hours, Pine, type Variation, variationOf } from './parts.tsx';
import { cinema, club, library, museum, stage } from './scenes/culture.tsx';
import { cafe, market, restaurant, shop } from './scenes/food.tsx';
import { beach, farm, forest, garden, harbour, mountain, park, viewpoint, water } from './scenes/nature.tsx';
import { attraction, playground, sports, zoo } from './scenes/play.tsx';
import { bridge, castle, church, house, monument, school, station, street, temple } from './scenes/town.tsx';

/**
 * The foreground of each kind of place, on a canvas of 320 by 200 with its ground at about 160; a banner shows 300 more
 * on either side. Only paths, circles and ellipses, and no opacity of groups: the renderer of shared pictures supports
 * nothing else.
 */
export const scenes: Record<PlaceCategory, (variation: Variation) => JSX.Element> = {
  park,
  garden,
  forest,
  mountain,
  viewpoint,
  water,
  beach,
  harbour,
  bridge,
  street,
  house,
  monument,
  church,
  temple,
  castle,
  museum,
  library,
  school,
  stage,
  cinema,
  club,
  restaurant,
  cafe,
  market,
  shop,
  station,
  sports,
  playground,
  zoo,
  farm,
  attraction,
};

const ranges = [
  'M-300 118c90-44 190-50 300 10 50-38 104-30 160-8s100-40 160-14c90 30 200 14 300-24v118h-920z',
  'M-300 132c120-20 210-34 300-26 60 4 90 26 150 20 70-8 110-34 190-22 90 14 180 30 280 10v86h-920z',
  'M-300 120l60-34 50 26 70-52 66 50 54-22 46 30 54-46 66 50 60-42 64 48 50-30 60 36 70-50 60 44 90-30v110h-920z',
] as const;
const distantHills = [
  'M-300 110c120-50 200-20 300-34s130-20 200 4 130 0 220-10 140 20 200 0v130h-920z',
  'M-300 96c80 20 190 10 280-10 100-24 140 14 220 18 90 4 150-40 250-24 80 12 120 30 170 10v110h-920z',
] as const;
const foregrounds = [
  'M-300 172c100-8 200-22 300-14 70-16 220-18 320-4 100 8 200 0 300 18v28h-920z',
  'M-300 160c100 10 200 4 300-6 90-8 220-2 320 8 100 2 200-8 300-4v42h-920z',
] as const;

/** The background of each picture: the sky of an hour, hills and ground. */
function Backdrop({ hour, form, pick }: Variation & { hour: (typeof hours)[number] }) {
  const x = pick([38, 62, 88, 232, 258, 282], 1);
  const y = pick([38, 46, 56], 2);
  return (
    <>
      <path fill="var(--sky)" d="M-300 0h920v200h-920z" />
      {hour === 'night' && (
        <g fill="var(--light)">
          {[22, 62, 108, 150, 196, 238, 286, -40, -120, -220, 350, 430, 540].map((at, n) => (
            <circle key={at} cx={at} cy={12 + ((n * 29) % 62)} r={n % 3 ? 1.4 : 2.2} />
          ))}
        </g>
      )}
      <circle cx={x} cy={y} r="34" fill="var(--sun)" opacity="0.25" />
      <circle cx={x} cy={y} r="22" fill="var(--sun)" />
      {hour === 'night' && form(2) === 0 && <circle cx={x + 9} cy={y - 5} r="19" fill="var(--sky)" />}
      {hour !== 'night' && hour !== 'golden' && (
        <Cloud x={320 - x} y={pick([40, 52, 62], 3)} s={pick([0.7, 0.9, 0.55], 4)} />
      )}
      {hour === 'golden' && <Birds x={300 - x} y={pick([40, 52, 62], 3)} s={0.8} />}
      <path fill="var(--far)" d={pick(distantHills, 6)} />
      <path fill="var(--hill)" d={pick(ranges, 7)} />
      <path fill="var(--ground)" d={pick(foregrounds, 8)} />
      <Cypress x={-96} y={166} s={0.78} />
      <Cypress x={-134} y={170} s={0.5} />
      <Pine x={416} y={166} s={0.9} />
      <Pine x={456} y={170} s={0.6} />
    </>
  );
}

interface Props {
  challenge: Pick<ChallengeDetails, 'id' | 'name' | 'locationName' | 'placeCategory'>;
  /** Extended at the sides, for a banner. */
  wide?: boolean;
}

/**
 * The picture of a challenge without a photo: its kind of place, at an hour and in a composition derived from its id.
 */
export function PlacePicture({ challenge, wide = false }: Props) {
  const placeCategory = placeCategoryOf(challenge);
  const { hour, paint, ...variation } = variationOf(challenge.id);
  return (
    <svg
      className={classes.picture}
      data-place-category={placeCategory}
      data-hour={hour}
      data-paint={paint}
      viewBox={wide ? '-300 0 920 200' : '0 0 320 200'}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <Backdrop hour={hour} {...variation} />
      {scenes[placeCategory](variation)}
    </svg>
  );
}
