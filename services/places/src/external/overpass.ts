import { type Address, PlaceType, type Position, placeTypes } from '@wayquest/contracts';
import { z } from 'zod';
import { nearestOfTypes, type TypedPlace } from '../gazetteer/known-places.ts';
import type { ExternalServer } from './external-server.ts';

/** OpenStreetMap's tag of each type of place. */
export const osmTags: Record<PlaceType, readonly [key: string, value: string]> = {
  park: ['leisure', 'park'],
  museum: ['tourism', 'museum'],
  movie_theater: ['amenity', 'cinema'],
  tourist_attraction: ['tourism', 'attraction'],
  night_club: ['amenity', 'nightclub'],
  library: ['amenity', 'library'],
  restaurant: ['amenity', 'restaurant'],
};

/** The type of place of a tag; null for any other tag. */
export const typeOfTag = (key = '', value = ''): PlaceType | null =>
  PlaceType.options.find((type) => osmTags[type][0] === key && osmTags[type][1] === value) ?? null;

export const Latitude = z.number().min(-90).max(90);
export const Longitude = z.number().min(-180).max(180);

/** The address in one line, shown after the name. */
export const vicinityOf = ({ streetAddress, city, state }: Address): string =>
  [streetAddress, city, state].filter(Boolean).join(', ');

const Point = z.object({ lat: Latitude, lon: Longitude });

const Element = z.object({
  type: z.string(),
  id: z.int(),
  lat: Latitude.optional(),
  lon: Longitude.optional(),
  center: Point.optional(),
  tags: z.record(z.string(), z.string()).default({}),
});

/** A query that exceeded its time or memory has status 200 and a remark. */
const Response = z.object({ elements: z.array(Element), remark: z.never().optional() });

/** Tile size in degrees: a city has so many restaurants that larger tiles would exceed a response. */
const cellSize = (type: PlaceType) => (type === 'restaurant' ? 0.02 : 0.1);
const maxInCell = 1_000;

/** Elements per type around a position. */
const maxElementsPerType = 100;

/** An element's type of place; of several, the first in the table of types. */
function typeOf(tags: Record<string, string>): PlaceType | undefined {
  const types = Object.entries(tags).map(([key, value]) => typeOfTag(key, value));
  return placeTypes.find((type) => types.includes(type));
}

/** The area of one query: a tile and half a tile around it. */
export interface Cell {
  key: string;
  south: number;
  west: number;
  north: number;
  east: number;
}

export function cellOf({ lat, lng }: Position, type: PlaceType): Cell {
  const size = cellSize(type);
  const row = Math.floor(lat / size);
  const column = Math.floor(lng / size);
  const degrees = (steps: number) => Number((steps * size).toFixed(6));
  return {
    key: `${row}:${column}`,
    south: Math.max(-90, degrees(row - 0.5)),
    west: Math.max(-180, degrees(column - 0.5)),
    north: Math.min(90, degrees(row + 1.5)),
    east: Math.min(180, degrees(column + 1.5)),
  };
}

function placeOf(
  type: PlaceType,
  { type: kind, id, lat, lon, center, tags }: z.infer<typeof Element>,
): TypedPlace[] {
  const at = center ?? (lat !== undefined && lon !== undefined ? { lat, lon } : undefined);
  const { name } = tags;
  if (!at || !name) return [];
  const address = {
    streetAddress: [tags['addr:housenumber'], tags['addr:street']].filter(Boolean).join(' '),
    city: tags['addr:city'] ?? '',
    state: tags['addr:state'] ?? '',
    zip: tags['addr:postcode'] ?? '',
  };
  const position = { lat: at.lat, lng: at.lon };
  return [{ ...address, id: `osm-${kind}${id}`, name, type, vicinity: vicinityOf(address), position }];
}

/** Overpass (https://wiki.openstreetmap.org/wiki/Overpass_API): OpenStreetMap's places by their tags. */
export function createOverpass(server: ExternalServer) {
  const query = async (statements: string) => {
    const data = `[out:json][timeout:5];${statements}`;
    const { elements } = await server.request({ path: '', form: { data }, response: Response });
    return elements;
  };

  const named = (type: PlaceType) => {
    const [key, value] = osmTags[type];
    return `nwr["${key}"="${value}"]["name"]`;
  };

  return {
    /** The places of a type in a cell. Throws `places-unavailable`. */
    async inCell(type: PlaceType, { south, west, north, east }: Cell): Promise<TypedPlace[]> {
      const box = `${south},${west},${north},${east}`;
      const elements = await query(`${named(type)}(${box});out center tags ${maxInCell};`);
      return elements.flatMap((element) => placeOf(type, element));
    },

    /**
     * The nearest place of each type, found with one query.
     *
     * @param radius - in meters
     * @returns At most one of a type, the nearest of the first hundred that the server has. Throws `places-unavailable`.
     */
    async nearestOfTypes(at: Position, radius: number): Promise<TypedPlace[]> {
      const circle = `around:${radius},${at.lat},${at.lng}`;
      const statements = placeTypes.map(
        (type) => `${named(type)}(${circle});out center tags ${maxElementsPerType};`,
      );
      const elements = await query(statements.join(''));
      const places = elements.flatMap((element) => {
        const type = typeOf(element.tags);
        return type ? placeOf(type, element) : [];
      });
      return nearestOfTypes(places, at, radius);
    },
  };
}
