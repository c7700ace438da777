import type { ChallengeDetails } from '@wayquest/contracts';

export type Scene = 'park' | 'museum' | 'cinema' | 'attraction' | 'club' | 'library' | 'restaurant';

const words: [Scene, RegExp][] = [
  ['library', /\b(library|bookshop|bookstore|archives?)\b/i],
  ['museum', /\b(museum|gallery|moma|hall of science|exhibit\w*|studios?)\b/i],
  ['cinema', /\b(cinemas?|movies?|multiplex|theat(?:er|re)s?|film)\b/i],
  ['club', /\b(club|bar|pub|jazz|disco|night|brewery|karaoke)\b/i],
  [
    'restaurant',
    /\b(restaurants?|caf[eé]|diner|food|kitchen|bakery|dumplings?|pizz\w+|noodles?|tacos?|eat\w*)\b/i,
  ],
  [
    'park',
    /\b(parks?|gardens?|trail|beach|pond|lake|forest|meadow|playground|botanical|bay|shore|woods?|refuge)\b/i,
  ],
];

const guess = (text: string) => words.find(([, pattern]) => pattern.test(text))?.[0];

/** What kind of place a challenge is at, told by its words; the name of the place counts first. */
export const sceneOf = ({ name, locationName }: Pick<ChallengeDetails, 'name' | 'locationName'>): Scene =>
  guess(locationName) ?? guess(name) ?? 'attraction';
