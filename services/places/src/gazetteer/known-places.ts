import { readFile } from 'node:fs/promises';
import { type Place, PlaceType, type Position, placeTypes } from '@wayquest/contracts';
import { distance } from 'geokdbush';
import { z } from 'zod';
import { normalize } from './names.ts';

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

/** A place of a known type. */
export type TypedPlace = Place & { type: PlaceType };

/**
 * The nearest place of each type.
 *
 * @param radius - in meters; places farther away are left out
 */
export function nearestOfTypes(places: readonly TypedPlace[], at: Position, radius: number): TypedPlace[] {
  const nearestFirst = byDistance(places, at, radius / 1_000);
  return placeTypes.flatMap((type) => nearestFirst.find((place) => place.type === type) ?? []);
}

const file = new URL('../../data/places.tsv', import.meta.url);

const Row = z.tuple([
  PlaceType,
  z.string().min(1),
  z.string(),
  z.string().min(1),
  z.string().length(2),
  z.string().regex(/^\d{5}$/),
  z.coerce.number().min(-90).max(90),
  z.coerce.number().min(-180).max(180),
]);

function parseLine(line: string): TypedPlace {
  const [type, name, streetAddress, city, state, zip, lat, lng] = Row.parse(line.split('\t'));
  return {
    id: `known-${normalize(`${name} ${city}`).replaceAll(' ', '-')}`,
    name,
    type,
    vicinity: [streetAddress, city].filter(Boolean).join(', '),
    streetAddress,
    city,
    state,
    zip,
    position: { lat, lng },
  };
}

/** Reads the bundled file of real places: a header line, then a line for each place. */
export async function readKnownPlaces(): Promise<TypedPlace[]> {
  const [, ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return lines.map(parseLine);
}
