import type { Place, Position } from '@wayquest/contracts';
import { distance } from 'geokdbush';

/** Kilometres as the crow flies. */
export const kmBetween = (one: Position, other: Position): number =>
  distance(one.lng, one.lat, other.lng, other.lat);

/** Those within so many kilometres, the nearest first. */
export function byDistance<P extends Place>(places: readonly P[], at: Position, km: number): P[] {
  return places
    .map((place) => ({ place, away: kmBetween(place.position, at) }))
    .filter(({ away }) => away <= km)
    .sort((one, other) => one.away - other.away)
    .map(({ place }) => place);
}
