import type { ChallengeDetails } from './challenges.ts';

const words = {
  library: 'library libraries bookshop bookstore archive archives',
  museum: 'museum gallery galleries science exhibit exhibition studio studios sculpture',
  cinema: 'cinema cinemas movie movies multiplex theater theatre theaters film films',
  club: 'club bar pub jazz disco night brewery karaoke',
  restaurant:
    'restaurant restaurants cafe café diner food kitchen bakery dumplings pizza noodles tacos eat market',
  park: 'park parks garden gardens trail beach pond lake forest meadow playground bay shore wood woods refuge',
};

/** The kinds of places; the last is what is none of the others. */
export const scenes = ['library', 'museum', 'cinema', 'club', 'restaurant', 'park', 'attraction'] as const;
export type Scene = (typeof scenes)[number];

const sceneByWord = new Map<string, Scene>();
for (const scene of scenes) {
  if (scene === 'attraction') continue;
  for (const word of words[scene].split(' ')) sceneByWord.set(word, scene);
}

const guess = (text: string) =>
  text
    .toLowerCase()
    .match(/\p{L}+/gu)
    ?.map((word) => sceneByWord.get(word))
    // What a place is comes last in its name: a botanical garden, a park museum.
    .findLast((scene) => scene !== undefined);

type Words = Pick<ChallengeDetails, 'name' | 'locationName'>;

/** What kind of place a challenge seems to be at, by its words; the name of the place counts first. */
export const sceneByWords = ({ name, locationName }: Words): Scene =>
  guess(locationName) ?? guess(name) ?? 'attraction';

/** What kind of place a challenge is at: as its maker said, or else by its words. */
export const sceneOf = ({ scene, ...words }: Words & { scene?: Scene | undefined }): Scene =>
  scene ?? sceneByWords(words);
