import type { ChallengeCluster, Scene } from '@wayquest/contracts';
import type { TileCount } from './tile-count.ts';
import { boxOf } from './tiles.ts';

/** The challenges of a tile as a map shows them; of one alone the kind of place, if it is known. */
export const presentCluster = (
  tile: string,
  { count, lng, lat, newest, city }: TileCount,
  scene?: Scene,
): ChallengeCluster => ({
  position: { lat: lat / count, lng: lng / count },
  count,
  newest,
  city,
  ...(scene && { scene }),
  bbox: boxOf(tile),
});
