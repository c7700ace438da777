import type { ChallengeDocument } from './challenge.model.ts';

const accents = /[\u0300-\u036f]/g;

/** Apostrophes, and what is not seen. */
const within = /['‘’ʻʼ\p{Cf}]/gu;

/** The scripts that put no spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** Text as it is compared: in lower case, without accents. */
const folded = (text: string) =>
  text.normalize('NFKD').replace(accents, '').replace(within, '').toLowerCase().replaceAll('ς', 'σ');

/** The words of a text, each once. */
export const wordsIn = (text: string): string[] => [...new Set(folded(text).match(/[\p{L}\p{N}\p{M}]+/gu))];

/** The words that a challenge is found by; one that is written in a script without spaces may begin at each letter. */
export function wordsOf({
  name,
  locationName,
  city,
}: Pick<ChallengeDocument, 'name' | 'locationName' | 'city'>): string[] {
  const words = wordsIn([name, locationName, city].join(' '));
  const later = words.flatMap((word) => [...word.matchAll(unspaced)].map(({ index }) => word.slice(index)));
  return [...new Set([...words, ...later])];
}
