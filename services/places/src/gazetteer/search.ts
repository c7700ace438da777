import type { FoundPlace, Place, Position } from '@wayquest/contracts';
import { kmBetween, type TypedPlace } from './known-places.ts';
import { hasAllWords, normalize } from './names.ts';
import { addressOf, type Town, type Towns } from './towns.ts';
import { createWordIndex, packWords } from './word-index.ts';

/** Further words are ignored; in an address the last ones are the most specific. */
const maxWords = 7;

/** Presents a town or postal code as a place. */
function presentTown(town: Town): Place {
  const { kind, name, city, region, lat, lng } = town;
  return {
    ...addressOf(town),
    id: `${kind}-${normalize(`${name} ${region.state} ${region.country}`).replaceAll(' ', '-')}-${lat},${lng}`,
    name,
    type: null,
    vicinity: kind === 'zip' ? `${city}, ${region.state}` : region.label,
    position: { lat, lng },
  };
}

/** Whether a word of a text begins like this. */
function hasWord(text: string, beginning: string): boolean {
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) {
    if (at === 0 || text[at - 1] === ' ') return true;
  }
  return false;
}

/** How different a name is from the typed text; lower is better. */
function nameCost(name: string, typed: string): number {
  if (`${typed} `.startsWith(`${name} `)) return 0;
  if (name.startsWith(typed)) return 2;
  return hasWord(name, typed) ? 4 : 6;
}

/** Cost of the distance: a point for each doubling. */
const distanceCost = (km: number) => Math.log2(1 + km / 2);

/** Bonus for the population: half a point for each doubling. */
const populationBonus = (population: number) => Math.log2(1 + population / 1_000) / 2;

/** The index from which on all words are found. */
const firstIndexOfAllMatching = (words: string[], isThere: (word: string) => boolean): number =>
  words.findLastIndex((word) => !isThere(word)) + 1;

/** Searches places and towns by beginnings of words in their names, and places by their street, too. */
export function createSearch(known: readonly TypedPlace[], towns: Towns) {
  // Known places are numbered from 0 on, and the towns after them.
  const knownNames = known.map(({ name }) => normalize(name));
  const knownWords = createWordIndex(
    packWords(known.map(({ name, streetAddress }) => normalize(`${name} ${streetAddress}`))),
  );
  const nameOf = (id: number): string => knownNames[id] ?? towns.nameOf(id - known.length);

  const inName = (id: number, word: string) => hasWord(nameOf(id), word);

  /** Whether people may type this word after the name. */
  const matchesContext = (id: number, word: string): boolean => {
    const place = known[id];
    if (place) return hasWord(normalize(`${place.city} ${place.state} ${place.zip}`), word);
    const town = id - known.length;
    if (hasWord(towns.regionOf(town).words, word)) return true;
    return towns.isZip(town) && hasWord(normalize(towns.cityOf(town)), word);
  };

  const inStreet = (id: number, word: string): boolean => {
    const street = known[id]?.streetAddress;
    return !!street && hasWord(normalize(street), word);
  };

  /** All words that people may type for it. */
  const wordsOf = (id: number): string => {
    const place = known[id];
    if (place)
      return normalize(`${place.name} ${place.streetAddress} ${place.city} ${place.state} ${place.zip}`);
    const town = id - known.length;
    return `${nameOf(id)} ${towns.regionOf(town).words} ${normalize(towns.cityOf(town))}`;
  };

  const candidatesFor = (typed: string[]): Set<number> => {
    const longWords = typed.filter(({ length }) => length > 2);
    const candidates = new Set<number>();
    for (const word of longWords.length ? longWords : typed.filter(({ length }) => length > 1)) {
      for (const id of knownWords.startingWith(word)) candidates.add(id);
      for (const id of towns.words.startingWith(word)) candidates.add(known.length + id);
    }
    return candidates;
  };

  /**
   * Returns the entries that contain all words or, if there is none, the longest matching suffix of the
   * query: for an unknown address, its town and postal code are found, and not other places in a street of that name.
   * At least one word has to be in the name.
   */
  const matching = (typed: string[]): { ids: number[]; matched: string[] } => {
    let from = typed.length;
    let ids: number[] = [];
    for (const id of candidatesFor(typed)) {
      let first = firstIndexOfAllMatching(typed, (word) => inName(id, word) || matchesContext(id, word));
      if (
        first > 0 &&
        typed.every((word) => inName(id, word) || inStreet(id, word) || matchesContext(id, word))
      )
        first = 0;
      else if (!typed.slice(first).some((word) => inName(id, word))) continue;
      if (first > from) continue;
      if (first < from) {
        from = first;
        ids = [];
      }
      ids.push(id);
    }
    return { ids, matched: typed.slice(from) };
  };

  const unlikelihood = (id: number, typed: string, near: Position): number => {
    const cost = nameCost(nameOf(id), typed);
    const place = known[id];
    if (place) return cost + distanceCost(kmBetween(place.position, near));
    const town = id - known.length;
    const distanceKm = kmBetween(towns.positionOf(town), near);
    return cost + distanceCost(distanceKm) - populationBonus(towns.populationOf(town));
  };

  const likeliest = (ids: number[], typed: string, near: Position, max: number): number[] => {
    const ranked: { id: number; cost: number }[] = [];
    for (const id of ids) {
      const cost = unlikelihood(id, typed, near);
      const last = ranked[max - 1];
      if (last && cost >= last.cost) continue;
      const at = ranked.findIndex((other) => cost < other.cost);
      ranked.splice(at < 0 ? ranked.length : at, 0, { id, cost });
      ranked.length = Math.min(ranked.length, max);
    }
    return ranked.map(({ id }) => id);
  };

  return {
    /** Returns the best matches first, by name, distance and population. Unknown words at the end are ignored. */
    find(text: string, near: Position, max: number): FoundPlace[] {
      const all = normalize(text).split(' ');
      const typed = all.slice(-maxWords);
      for (let until = typed.length; until > 0; until--) {
        const { ids, matched } = matching(typed.slice(0, until));
        if (!ids.length) continue;
        return likeliest(ids, matched.join(' '), near, max).map((id) => ({
          ...(known[id] ?? presentTown(towns.at(id - known.length))),
          matchesAll: hasAllWords(wordsOf(id), all),
        }));
      }
      return [];
    },

    /** Returns towns of exactly this name. */
    townsNamed(name: string): Town[] {
      const normalizedName = normalize(name);
      const [word = ''] = normalizedName.split(' ');
      if (!word) return [];
      return [...towns.words.startingWith(word)].flatMap((id) =>
        towns.nameOf(id) === normalizedName ? towns.at(id) : [],
      );
    },
  };
}
