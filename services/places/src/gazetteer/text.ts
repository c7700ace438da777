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
  text
    .normalize('NFD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => sameWords[word] ?? word)
    .join(' ');
