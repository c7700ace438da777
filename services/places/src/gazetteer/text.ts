import { foldText } from '@wayquest/platform/store';

/** Words with two spellings in addresses and names, in the one that is compared. */
const sameWords: Record<string, string> = {
  avenue: 'ave',
  boulevard: 'blvd',
  mount: 'mt',
  parkway: 'pkwy',
  place: 'pl',
  road: 'rd',
  saint: 'st',
  street: 'st',
};

/** Normalizes text for comparison: lower case, without diacritics and symbols, words separated by one space. */
export const normalize = (text: string): string =>
  foldText(text)
    .replace(/[\p{M}'’]/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => sameWords[word] ?? word)
    .join(' ');

/** Whether a text contains all of these words; everything normalized. */
export function hasAllWords(text: string, words: string[]): boolean {
  const own = new Set(text.split(' '));
  return words.every((word) => own.has(word));
}
