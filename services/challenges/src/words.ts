import type { ChallengeDocument } from './challenge.model.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

const accentsAndApostrophes = /[\u0300-\u036f'’]/g;

/** The words of a text (UAX #29) as they are searched: each once, in lower case, without accents and apostrophes. */
export function wordsIn(text: string): string[] {
  const plain = text.normalize('NFKD').replace(accentsAndApostrophes, '').toLowerCase();
  const segments = [...segmenter.segment(plain)];
  return [...new Set(segments.flatMap(({ segment, isWordLike }) => (isWordLike ? segment : [])))];
}

/** The words that a challenge is found by. */
export const wordsOf = ({
  name,
  locationName,
  city,
}: Pick<ChallengeDocument, 'name' | 'locationName' | 'city'>): string[] =>
  wordsIn(`${name} ${locationName} ${city}`);
