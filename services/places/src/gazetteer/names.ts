import type { Address } from '@wayquest/contracts';
import { foldText } from '@wayquest/platform/search';

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

/** A state of the United States, or another country. */
export interface Region {
  country: string;
  /** The state's abbreviation, such as `NY`; `''` elsewhere. */
  state: string;
  /** The end of a town's label: `NY, United States`. */
  label: string;
  /** Words that people may type after a town's name, normalized. */
  words: string;
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' });
const homeCountry = 'US';

export const isInHomeCountry = ({ country }: Region): boolean => country === homeCountry;

/** Creates each region once. `stateNames` contains the names of the states by their abbreviations. */
export function createRegions(stateNames: ReadonlyMap<string, string>) {
  const regions = new Map<string, Region>();
  return (country: string, division: string): Region => {
    const home = country === homeCountry;
    const state = home ? division : '';
    const key = `${country} ${state}`;
    const known = regions.get(key);
    if (known) return known;
    const name = countryNames.of(country) ?? country;
    const region = {
      country,
      state,
      label: [state, name].filter(Boolean).join(', '),
      words: normalize(`${state} ${stateNames.get(state) ?? ''} ${country} ${name} ${home ? 'USA' : ''}`),
    };
    regions.set(key, region);
    return region;
  };
}

/** Formats an address in one line: `41-17 Main St, Flushing, NY 11355`. */
export const addressLine = ({ streetAddress, city, state, zip }: Address): string =>
  [streetAddress, city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
