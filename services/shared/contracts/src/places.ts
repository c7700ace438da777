import { z } from 'zod';
import { BoundingBox, Near, Position, RadiusText } from './geography.ts';
import { operation } from './operation.ts';
import { placeTypes } from './place-types.ts';
import { line } from './text.ts';
import { textLimits } from './text-limits.ts';

export const PlaceType = z.enum(placeTypes).meta({ id: 'PlaceType' });
export type PlaceType = z.infer<typeof PlaceType>;

/** A postal address in its parts; a part that is not known is `''`. */
export const Address = z
  .object({ streetAddress: z.string(), city: z.string(), state: z.string(), zip: z.string() })
  .meta({ id: 'Address' });
export type Address = z.infer<typeof Address>;

export const Place = Address.extend({
  id: z.string(),
  name: z.string(),
  type: PlaceType.nullable().meta({ description: 'None: a town, a postal code or an address.' }),
  vicinity: z.string().meta({ description: 'Where it is, in a line: `Main St, Flushing`' }),
  position: Position,
}).meta({ id: 'Place' });
export type Place = z.infer<typeof Place>;

/** A place that a text may mean. */
export const FoundPlace = Place.extend({
  matchesAll: z.boolean().meta({
    description: 'Whether each word of the text is a word of the place or its address. If not it is a guess.',
  }),
}).meta({ id: 'FoundPlace' });
export type FoundPlace = z.infer<typeof FoundPlace>;

export const placesOperations = {
  searchPlaces: operation({
    service: 'places',
    method: 'GET',
    path: '/api/places/search',
    access: 'public',
    summary: 'Places, towns, postal codes and addresses that a text may mean, the likeliest first',
    query: z.object({
      text: line(textLimits.placeSearch).min(1, 'must not be empty'),
      near: Near.optional().meta({ description: 'What is near comes first.' }),
    }),
    status: [200],
    answer: z.array(FoundPlace),
    problems: ['places-unavailable'],
  }),
  reversePlace: operation({
    service: 'places',
    method: 'GET',
    path: '/api/places/reverse',
    access: 'public',
    summary: 'The address of a point on the map, as exactly as it is known',
    query: z.object({ at: Near }),
    status: [200],
    answer: Address.extend({ label: z.string().meta({ description: 'The address in a line' }) }),
    problems: ['address-not-found', 'places-unavailable'],
  }),
  nearbyPlaces: operation({
    service: 'places',
    method: 'GET',
    path: '/api/places/nearby',
    access: 'public',
    summary: 'Places of one type around a point, the nearest first',
    query: z.object({
      at: Near,
      type: PlaceType,
      radius: RadiusText.optional().meta({ description: 'Metres; 50000, the most, when missing.' }),
    }),
    status: [200],
    answer: z.array(Place),
    problems: ['places-unavailable'],
  }),
  listTowns: operation({
    service: 'places',
    method: 'GET',
    path: '/api/places/towns',
    access: 'public',
    weight: 4,
    summary: 'The towns with the most people in a part of the world, to name on a map',
    query: z.object({ bbox: BoundingBox }),
    status: [200],
    answer: z.array(
      z.object({
        name: z.string(),
        population: z.int().meta({ description: 'How many people live there; 0 where nobody says.' }),
        position: Position,
      }),
    ),
    problems: [],
  }),
  listKnownPlaces: operation({
    service: 'places',
    method: 'GET',
    path: '/api/places/known',
    access: 'public',
    summary: 'The places that Wayquest knows by itself in a part of the world, to draw on a map',
    query: z.object({ bbox: BoundingBox }),
    status: [200],
    answer: z.array(Place),
    problems: [],
  }),
};
