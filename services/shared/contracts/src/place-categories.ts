import type { PlaceType } from './places.ts';

/** The kinds of place that the map can show (spec, section 2). */
export const placeTypes = [
  'park',
  'museum',
  'movie_theater',
  'tourist_attraction',
  'night_club',
  'library',
  'restaurant',
] as const;

/** Kinds of places, each with a picture; the last is for all others. */
export const placeCategories = [
  'park',
  'garden',
  'forest',
  'mountain',
  'viewpoint',
  'water',
  'beach',
  'harbour',
  'bridge',
  'street',
  'house',
  'monument',
  'church',
  'temple',
  'castle',
  'museum',
  'library',
  'school',
  'stage',
  'cinema',
  'club',
  'restaurant',
  'cafe',
  'market',
  'shop',
  'station',
  'sports',
  'playground',
  'zoo',
  'farm',
  'attraction',
] as const;
export type PlaceCategory = (typeof placeCategories)[number];

/** The place category of each place type of the map. */
export const placeCategoryOfType = {
  park: 'park',
  museum: 'museum',
  movie_theater: 'cinema',
  tourist_attraction: 'attraction',
  night_club: 'club',
  library: 'library',
  restaurant: 'restaurant',
} as const satisfies Record<PlaceType, PlaceCategory>;
