import type { Place, PlaceType, Position } from '@wayquest/contracts';
import { z } from 'zod';
import { Latitude, Longitude, osmTags, vicinityOf } from './osm.ts';
import type { OutsideServer } from './server.ts';

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
const Answer = z.object({ elements: z.array(Element), remark: z.never().optional() });

/** Tile size in degrees: a city has so many restaurants that larger tiles would exceed a response. */
const cellSize = (type: PlaceType) => (type === 'restaurant' ? 0.02 : 0.1);
const most = 1_000;

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
): Place[] {
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
export const createOverpass = (server: OutsideServer) => ({
  async inCell(type: PlaceType, { south, west, north, east }: Cell): Promise<Place[]> {
    const [key, value] = osmTags[type];
    const box = `${south},${west},${north},${east}`;
    const data = `[out:json][timeout:5];nwr["${key}"="${value}"]["name"](${box});out center tags ${most};`;
    const { elements } = await server.ask({ path: '', form: { data }, answer: Answer });
    return elements.flatMap((element) => placeOf(type, element));
  },
});
