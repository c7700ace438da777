import { foldText } from '@wayquest/platform/store';

/** Words that addresses and names write in two ways, in the way they are compared. */
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

/** Text as it is compared: words in lower case, without diacritics and signs, one space between them. */
export const normalize = (text: string): string =>
  foldText(text)
    .replace(/[\p{M}'’]/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => sameWords[word] ?? word)
    .join(' ');

/** Whether each of these words is a word of a text; all of them normalized. */
export function hasAllWords(text: string, words: string[]): boolean {
  const own = new Set(text.split(' '));
  return words.every((word) => own.has(word));
}
