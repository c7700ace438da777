import type { ChallengeDocument } from './challenge.model.ts';

const accents = /[\u0300-\u036f]/g;

const apostrophes = /['‘’ʻʼ]/g;

/** Soft hyphens and the like. */
const unseen = /\p{Cf}/gu;

/** The scripts that put no spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** Text as it is compared: in lower case, without accents. */
const folded = (text: string) =>
  text.normalize('NFKD').replace(accents, '').replace(unseen, '').toLowerCase().replaceAll('ς', 'σ');

/** The words of a text, each once; an apostrophe joins two to one. */
export const wordsIn = (text: string): string[] => [
  ...new Set(
    folded(text)
      .replace(apostrophes, '')
      .match(/[\p{L}\p{N}\p{M}]+/gu),
  ),
];

/**
 * The words that a challenge is found by. One with an apostrophe is found by its parts too, and one that is written in a
 * script without spaces by what begins at each letter.
 */
export function wordsOf({
  name,
  locationName,
  city,
}: Pick<ChallengeDocument, 'name' | 'locationName' | 'city'>): string[] {
  const text = [name, locationName, city].join(' ');
  const words = wordsIn(`${text} ${text.replace(apostrophes, ' ')}`);
  const later = words.flatMap((word) => [...word.matchAll(unspaced)].map(({ index }) => word.slice(index)));
  return [...new Set([...words, ...later])];
}
