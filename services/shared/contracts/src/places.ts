import { z } from 'zod';
import { BoundingBox, Near, Position, RadiusText } from './geography.ts';
import { operation } from './operation.ts';
import { placeCategories, placeTypes } from './place-categories.ts';
import { singleLineText } from './primitives.ts';
import { suggestionIdPattern } from './suggestion-texts.ts';
import { textLimits } from './text.ts';
import { difficulties } from './values.ts';

/** The languages of suggestions, which are those of the web app. */
export const Language = z.enum(['en', 'zh']).meta({ description: 'Language of the texts; default: en.' });
export type Language = z.infer<typeof Language>;

/** Town center and key of the suggestion: `52.5244_13.4105_loop`. */
export const SuggestionId = z
  .string()
  .regex(suggestionIdPattern, { error: 'must be the id of a suggestion' });

/** The texts of a suggestion, for clients that have them in more languages than the service. */
export const SuggestionTemplate = z
  .object({
    key: z.string().meta({
      description: 'Key of the texts: `loop`. Clients show name and description for one they do not know.',
    }),
    place: z.string().meta({ description: 'The name of the town or place in the texts.' }),
  })
  .meta({ id: 'SuggestionTemplate' });
export type SuggestionTemplate = z.infer<typeof SuggestionTemplate>;

/** Where a challenge can be completed that has no exact place: around a position, which is the center of a town. */
export const Area = z
  .object({
    kind: z.enum(['town', 'surroundings']).meta({
      description: 'town: in the town. surroundings: in the villages around it, too.',
    }),
    radiusMeters: z.int().positive(),
  })
  .meta({ id: 'Area' });
export type Area = z.infer<typeof Area>;

/** A challenge that nobody has created yet. The same for everybody: it depends on its town only. */
export const Suggestion = z
  .object({
    id: SuggestionId,
    name: z.string(),
    description: z.string(),
    difficulty: z.enum(difficulties),
    points: z.int(),
    placeCategory: z.enum(placeCategories),
    locationName: z.string(),
    streetAddress: z.string(),
    city: z.string(),
    state: z.string(),
    zip: z.string(),
    position: Position.meta({ description: 'Of the place, or of the center of the area.' }),
    area: Area.optional().meta({ description: 'Absent for a named place.' }),
    template: SuggestionTemplate.optional().meta({ description: 'Absent in older versions.' }),
  })
  .meta({ id: 'Suggestion' });
export type Suggestion = z.infer<typeof Suggestion>;

export const PlaceType = z.enum(placeTypes).meta({ id: 'PlaceType' });
export type PlaceType = z.infer<typeof PlaceType>;

/** A postal address; unknown parts are `''`. */
export const Address = z
  .object({ streetAddress: z.string(), city: z.string(), state: z.string(), zip: z.string() })
  .meta({ id: 'Address' });
export type Address = z.infer<typeof Address>;

export const Place = Address.extend({
  id: z.string(),
  name: z.string(),
  type: PlaceType.nullable().meta({ description: 'Null for a town, a postal code or an address.' }),
  vicinity: z.string().meta({ description: 'Its location in one line: `Main St, Flushing`' }),
  position: Position,
}).meta({ id: 'Place' });
export type Place = z.infer<typeof Place>;

/** A search result. */
export const FoundPlace = Place.extend({
  matchesAll: z.boolean().meta({
    description:
      'Whether every word of the text is a word of the place or its address; otherwise it is a guess.',
  }),
}).meta({ id: 'FoundPlace' });
export type FoundPlace = z.infer<typeof FoundPlace>;

export const placesOperations = {
  searchPlaces: operation({
    service: 'places',
    method: 'GET',
    path: '/api/places/search',
    access: 'public',
    summary: 'Search places, towns, postal codes and addresses, best match first',
    query: z.object({
      text: singleLineText(textLimits.placeSearch).min(1, 'must not be empty'),
      near: Near.optional().meta({ description: 'Prefers results near this position.' }),
    }),
    status: [200],
    response: z.array(FoundPlace),
    problems: ['places-unavailable'],
  }),
  reversePlace: operation({
    service: 'places',
    method: 'GET',
    path: '/api/places/reverse',
    access: 'public',
    summary: 'Get the address of a position, as exact as known',
    query: z.object({ at: Near }),
    status: [200],
    response: Address.extend({ label: z.string().meta({ description: 'The address in one line' }) }),
    problems: ['address-not-found', 'places-unavailable'],
  }),
  nearbyPlaces: operation({
    service: 'places',
    method: 'GET',
    path: '/api/places/nearby',
    access: 'public',
    summary: 'List places of a type around a position, nearest first',
    query: z.object({
      at: Near,
      type: PlaceType,
      radius: RadiusText.optional().meta({ description: 'Meters; default and maximum 50000.' }),
    }),
    status: [200],
    response: z.array(Place),
    problems: ['places-unavailable'],
  }),
  listSuggestions: operation({
    service: 'places',
    method: 'GET',
    path: '/api/places/suggestions',
    access: 'public',
    weight: 4,
    summary:
      'List suggested challenges of the town at a position: named places, the nearest first, then tasks for its area',
    query: z.object({ at: Near, language: Language.optional() }),
    status: [200],
    response: z.array(Suggestion),
    problems: [],
  }),
  getSuggestion: operation({
    service: 'places',
    method: 'GET',
    path: '/api/places/suggestions/{id}',
    access: 'public',
    weight: 4,
    summary: 'Get a suggested challenge',
    params: z.object({ id: SuggestionId }),
    query: z.object({ language: Language.optional() }),
    status: [200],
    response: Suggestion,
    problems: ['suggestion-not-found', 'places-unavailable'],
  }),
  listTowns: operation({
    service: 'places',
    method: 'GET',
    path: '/api/places/towns',
    access: 'public',
    weight: 4,
    summary: 'List the largest towns in a bounding box, as labels of a map',
    query: z.object({ bbox: BoundingBox }),
    status: [200],
    response: z.array(
      z.object({
        name: z.string(),
        population: z.int().meta({ description: 'Population; 0 if unknown.' }),
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
    summary: 'List the built-in places in a bounding box, for drawing on a map',
    query: z.object({ bbox: BoundingBox }),
    status: [200],
    response: z.array(Place),
    problems: [],
  }),
};
