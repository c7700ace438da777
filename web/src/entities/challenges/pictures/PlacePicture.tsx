import { type ChallengeDetails, placeCategoryOf } from '@wayquest/contracts';
import { contentOf } from '../../../shared/ui/Drawing.tsx';
import birds from './backdrop/birds.svg?raw';
import cloud from './backdrop/cloud.svg?raw';
import distantHills1 from './backdrop/distant-hills-1.svg?raw';
import distantHills2 from './backdrop/distant-hills-2.svg?raw';
import ground1 from './backdrop/ground-1.svg?raw';
import ground2 from './backdrop/ground-2.svg?raw';
import hills1 from './backdrop/hills-1.svg?raw';
import hills2 from './backdrop/hills-2.svg?raw';
import hills3 from './backdrop/hills-3.svg?raw';
import stars from './backdrop/stars.svg?raw';
import sun from './backdrop/sun.svg?raw';
import trees from './backdrop/trees.svg?raw';
import classes from './PlacePicture.module.css';
import { type Variation, variationOf } from './variation.ts';

const files = import.meta.glob<string>('./scenes/*.svg', { query: '?raw', import: 'default', eager: true });

/**
 * The SVG files of each place category: the foregrounds, on a canvas of 320 by 200 with the ground at about 160; a banner shows
 * 300 more on either side. They contain only paths, circles and ellipses, and no opacity of groups: `stampPicture` supports
 * nothing else.
 */
export const scenes: ReadonlyMap<string, string[]> = Object.entries(files).reduce((found, [path, file]) => {
  const [, category = ''] = /\/([a-z]+)-\d+\.svg$/.exec(path) ?? [];
  return found.set(category, [...(found.get(category) ?? []), file]);
}, new Map<string, string[]>());

interface PartProps {
  file: string;
  x?: number;
  y?: number;
  scale?: number;
}

/** A part of a picture from a file of the app. */
const Part = ({ file, x = 0, y = 0, scale = 1 }: PartProps) => (
  <g
    transform={x || y ? `translate(${x} ${y}) scale(${scale})` : undefined}
    // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of the app
    dangerouslySetInnerHTML={{ __html: contentOf(file) }}
  />
);

/** The background of each picture: the sky of an hour, hills and ground. */
function Backdrop({ hour, compose, pick }: Variation) {
  const x = pick([38, 62, 88, 232, 258, 282], 1);
  const y = pick([38, 46, 56], 2);
  const skyY = pick([40, 52, 62], 3);
  return (
    <>
      <path fill="var(--sky)" d="M-300 0h920v200h-920z" />
      {hour === 'night' && <Part file={stars} />}
      <Part file={sun} x={x} y={y} />
      {hour === 'night' && compose([true, false]) && (
        <circle cx={x + 9} cy={y - 5} r="19" fill="var(--sky)" />
      )}
      {hour === 'golden' && <Part file={birds} x={300 - x} y={skyY} scale={0.8} />}
      {hour !== 'night' && hour !== 'golden' && (
        <Part file={cloud} x={320 - x} y={skyY} scale={pick([0.7, 0.9, 0.55], 4)} />
      )}
      <Part file={pick([distantHills1, distantHills2], 6)} />
      <Part file={pick([hills1, hills2, hills3], 7)} />
      <Part file={pick([ground1, ground2], 8)} />
      <Part file={trees} />
    </>
  );
}

interface Props {
  challenge: Pick<ChallengeDetails, 'id' | 'name' | 'locationName' | 'placeCategory'>;
  /** Extended at the sides, for a banner. */
  wide?: boolean;
}

/**
 * The picture of a challenge without a photo: its place category, at an hour and in a composition derived from its id.
 */
export function PlacePicture({ challenge, wide = false }: Props) {
  const placeCategory = placeCategoryOf(challenge);
  const variation = variationOf(challenge.id);
  const [first, ...others] = scenes.get(placeCategory) ?? [];
  return (
    <svg
      className={classes.picture}
      data-place-category={placeCategory}
      data-hour={variation.hour}
      data-paint={variation.paint}
      viewBox={wide ? '-300 0 920 200' : '0 0 320 200'}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <Backdrop {...variation} />
      {first && <Part file={variation.compose([first, ...others])} />}
    </svg>
  );
}
