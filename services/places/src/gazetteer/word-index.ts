/** Finds texts by how their words begin. */
export interface WordIndex {
  /** The numbers of the texts that have a word which begins so; one may come more than once. */
  startingWith(beginning: string): Uint32Array;
}

/** The words in order; those of the texts that have the nth stand from `starts[n]` to `starts[n + 1]` in `ids`. */
function pack(texts: readonly string[]) {
  const occurrences = new Map<string, number[]>();
  texts.forEach((text, id) => {
    for (const word of text.split(' ')) {
      const ids = occurrences.get(word);
      if (ids) ids.push(id);
      else occurrences.set(word, [id]);
    }
  });
  const words = [...occurrences.keys()].sort();
  const starts = new Uint32Array(words.length + 1);
  words.forEach((word, at) => {
    starts[at + 1] = (starts[at] ?? 0) + (occurrences.get(word)?.length ?? 0);
  });
  const ids = new Uint32Array(starts[words.length] ?? 0);
  words.forEach((word, at) => {
    ids.set(occurrences.get(word) ?? [], starts[at]);
  });
  return { words, starts, ids };
}

/** Texts must be normalized. Packed, since there are hundreds of thousands of them. */
export function createWordIndex(texts: readonly string[]): WordIndex {
  const { words, starts, ids } = pack(texts);

  /** Where the first word stands that is not before this text. */
  const lowerBound = (text: string): number => {
    let low = 0;
    let high = words.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((words[middle] ?? '') < text) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  return {
    startingWith: (beginning) =>
      ids.subarray(starts[lowerBound(beginning)], starts[lowerBound(`${beginning}\u{ffff}`)]),
  };
}
