import { foldText } from '@wayquest/platform/store';

/** Canonical abbreviations of address words. */
const abbreviations: Record<string, string> = {
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
    .map((word) => abbreviations[word] ?? word)
    .join(' ');

/** Whether a text contains all of these words; everything normalized. */
export function hasAllWords(text: string, words: string[]): boolean {
  const tokens = new Set(text.split(' '));
  return words.every((word) => tokens.has(word));
}
