import type { ChallengeCluster, PlaceCategory } from '@wayquest/contracts';
import type { TileCount } from './tile-count.ts';
import { boxOf } from './tiles.ts';

/** A tile's challenges as a cluster; a single one with its kind of place, if known. */
export const presentCluster = (
  tile: string,
  { count, lng, lat, newest, city }: TileCount,
  placeCategory?: PlaceCategory,
): ChallengeCluster => ({
  position: { lat: lat / count, lng: lng / count },
  count,
  newest,
  city,
  ...(placeCategory && { placeCategory }),
  bbox: boxOf(tile),
});
