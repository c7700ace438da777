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
