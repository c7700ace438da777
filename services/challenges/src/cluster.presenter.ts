import type { ChallengeCluster } from '@wayquest/contracts';
import type { Tally } from './tally.ts';
import { boxOf } from './tiles.ts';

/** The challenges of a tile as a map shows them. */
export const presentCluster = (tile: string, { count, lng, lat, newest, city }: Tally): ChallengeCluster => ({
  position: { lat: lat / count, lng: lng / count },
  count,
  newest,
  city,
  bbox: boxOf(tile),
});
