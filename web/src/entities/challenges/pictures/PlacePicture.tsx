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
import { distinctLooks, type Look, lookOf, type Variation, variationOf } from './variation.ts';

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
function Backdrop({ hour, pick }: Pick<Look, 'hour'> & Variation) {
  const x = pick([38, 62, 88, 232, 258, 282], 1);
  const y = pick([38, 46, 56], 2);
  const skyY = pick([40, 52, 62], 3);
  return (
    <>
      <path fill="var(--sky)" d="M-300 0h920v200h-920z" />
      {hour === 'night' && <Part file={stars} />}
      <Part file={sun} x={x} y={y} />
      {hour === 'night' && pick([true, false], 5) && (
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

type Drawn = Pick<ChallengeDetails, 'id' | 'name' | 'locationName' | 'placeCategory'>;

interface Props {
  challenge: Drawn;
  /** Extended at the sides, for a banner. */
  wide?: boolean;
  /** How it looks in a list (`looksIn`); by default as everywhere else. */
  look?: Look | undefined;
}

const scenesOf = (challenge: Drawn): string[] => scenes.get(placeCategoryOf(challenge)) ?? [];

/** How the challenges of a list without a photo are drawn: among twelve in a row no drawing occurs twice. */
export const looksIn = (
  challenges: readonly (Drawn & Pick<ChallengeDetails, 'picture'>)[],
): Map<number, Look> =>
  distinctLooks(
    challenges
      .filter(({ picture }) => !picture)
      .map((challenge) => ({
        id: challenge.id,
        placeCategory: placeCategoryOf(challenge),
        compositions: scenesOf(challenge).length,
      })),
  );

/**
 * The picture of a challenge without a photo: its place category, at an hour and in a composition derived from its id.
 */
export function PlacePicture({ challenge, wide = false, look }: Props) {
  const variation = variationOf(challenge.id);
  const compositions = scenesOf(challenge);
  const { composition, mirrored, hour } = look ?? lookOf(challenge.id, compositions.length);
  const scene = compositions[composition];
  return (
    <svg
      className={classes.picture}
      data-place-category={placeCategoryOf(challenge)}
      data-hour={hour}
      data-paint={variation.paint}
      viewBox={wide ? '-300 0 920 200' : '0 0 320 200'}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <g transform={mirrored ? 'matrix(-1 0 0 1 320 0)' : undefined}>
        <Backdrop hour={hour} {...variation} />
        {scene && <Part file={scene} />}
      </g>
    </svg>
  );
}
