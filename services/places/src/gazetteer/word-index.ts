/** Many texts in one: the nth ends at `ends[n]`, where the next one starts. */
export interface PackedTexts {
  text: string;
  ends: Uint32Array;
}

export function packTexts(all: readonly string[]): PackedTexts {
  let end = 0;
  return { text: all.join(''), ends: Uint32Array.from(all, ({ length }) => (end += length)) };
}

/** Returns a function for the nth text; `''` past the end. */
export const texts =
  ({ text, ends }: PackedTexts) =>
  (id: number): string =>
    text.slice(ends[id - 1] ?? 0, ends[id] ?? 0);

/** An index of texts by the beginnings of their words. */
export interface WordIndex {
  /** Numbers of the texts that have a word with this beginning; may contain duplicates. */
  startingWith(beginning: string): Uint32Array;
}

/** The words in order; the numbers of the texts with the nth one are in `ids`, from `starts[n]` to `starts[n + 1]`. */
export interface PackedWords {
  words: PackedTexts;
  starts: Uint32Array;
  ids: Uint32Array;
}

/** Packs normalized texts, since there are hundreds of thousands of them. */
export function packWords(all: readonly string[]): PackedWords {
  const counts = new Map<string, number>();
  for (const text of all) {
    for (const word of text.split(' ')) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const words = [...counts.keys()].sort();
  const starts = new Uint32Array(words.length + 1);
  const nextFreeIndex = new Map<string, number>();
  let start = 0;
  words.forEach((word, wordIndex) => {
    nextFreeIndex.set(word, start);
    start += counts.get(word) ?? 0;
    starts[wordIndex + 1] = start;
  });
  const ids = new Uint32Array(start);
  all.forEach((text, id) => {
    for (const word of text.split(' ')) {
      const at = nextFreeIndex.get(word) ?? 0;
      ids[at] = id;
      nextFreeIndex.set(word, at + 1);
    }
  });
  return { words: packTexts(words), starts, ids };
}

/** Creates the index on its packed tables, which are searched in place. */
export function createWordIndex({ words, starts, ids }: PackedWords): WordIndex {
  const wordAt = texts(words);

  /** Returns the index of the first word that is not less than this text. */
  const lowerBound = (text: string): number => {
    let low = 0;
    let high = words.ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (wordAt(middle) < text) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  return {
    startingWith: (beginning) =>
      ids.subarray(starts[lowerBound(beginning)], starts[lowerBound(`${beginning}\u{ffff}`)]),
  };
}
