import type { PlaceType } from './places.ts';

/** The kinds of places that a challenge can be at, each with a picture of its own; the last is what is none of the others. */
export const scenes = [
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
export type Scene = (typeof scenes)[number];

/** The scene of each type of place that the map can look for. */
export const sceneOfType = {
  park: 'park',
  museum: 'museum',
  movie_theater: 'cinema',
  tourist_attraction: 'attraction',
  night_club: 'club',
  library: 'library',
  restaurant: 'restaurant',
} as const satisfies Record<PlaceType, Scene>;
