import type { Place, Position } from '@wayquest/contracts';
import { distance } from 'geokdbush';

/** Great-circle distance in kilometers. */
export const kmBetween = (one: Position, other: Position): number =>
  distance(one.lng, one.lat, other.lng, other.lat);

/** Returns the places within this distance, nearest first. */
export function byDistance<P extends Place>(places: readonly P[], at: Position, km: number): P[] {
  return places
    .map((place) => ({ place, distanceKm: kmBetween(place.position, at) }))
    .filter(({ distanceKm }) => distanceKm <= km)
    .sort((one, other) => one.distanceKm - other.distanceKm)
    .map(({ place }) => place);
}
