import type { PlaceCategory } from '@wayquest/contracts';

/** The specification's types of places, each with the most similar kinds. */
export const interests = [
  {
    name: 'park',
    placeCategories: [
      'park',
      'garden',
      'forest',
      'mountain',
      'viewpoint',
      'water',
      'beach',
      'harbour',
      'farm',
      'zoo',
    ],
  },
  { name: 'museum', placeCategories: ['museum', 'school'] },
  { name: 'cinema', placeCategories: ['cinema', 'stage'] },
  {
    name: 'attraction',
    placeCategories: [
      'attraction',
      'monument',
      'street',
      'house',
      'castle',
      'church',
      'temple',
      'bridge',
      'station',
    ],
  },
  { name: 'club', placeCategories: ['club', 'sports', 'playground'] },
  { name: 'library', placeCategories: ['library'] },
  { name: 'restaurant', placeCategories: ['restaurant', 'cafe', 'market', 'shop'] },
] as const satisfies { name: PlaceCategory; placeCategories: PlaceCategory[] }[];
export type Interest = (typeof interests)[number];

/** The interests that a person chose, by the kinds of place that they like. */
export const interestsIn = (liked: PlaceCategory[]): Interest[] =>
  interests.filter(({ name }) => liked.includes(name));
