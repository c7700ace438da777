const CHUNK = 512;

/** A sorted set of strings in chunks: cheap to change, quick to walk both ways. */
export class SortedKeys {
  #chunks: string[][] = [];

  /** Takes keys that are distinct, in any order. */
  static from(keys: Iterable<string>): SortedKeys {
    const set = new SortedKeys();
    const sorted = [...keys].sort();
    for (let i = 0; i < sorted.length; i += CHUNK) set.#chunks.push(sorted.slice(i, i + CHUNK));
    return set;
  }

  add(key: string): void {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at];
    if (!chunk) {
      this.#chunks.push([key]);
      return;
    }
    chunk.splice(lowerBound(chunk, key), 0, key);
    if (chunk.length > 2 * CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK));
  }

  delete(key: string): void {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at];
    const i = chunk ? lowerBound(chunk, key) : -1;
    if (!chunk || chunk[i] !== key) return;
    chunk.splice(i, 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  /** The keys from `low` up to and with `high`, or the other way round. */
  *range(low: string, high: string, backwards = false): Generator<string> {
    if (backwards) {
      for (let c = this.#chunkOf(high); c >= 0; c--) {
        const chunk = this.#chunks[c] ?? [];
        for (let i = chunk.length - 1; i >= 0; i--) {
          const key = chunk[i];
          if (key === undefined || key > high) continue;
          if (key < low) return;
          yield key;
        }
      }
      return;
    }
    for (let c = this.#chunkOf(low); c < this.#chunks.length; c++) {
      const chunk = this.#chunks[c] ?? [];
      for (let i = lowerBound(chunk, low); i < chunk.length; i++) {
        const key = chunk[i];
        if (key === undefined || key > high) return;
        yield key;
      }
    }
  }

  /** The last chunk that begins at or before a key: where it is or belongs. */
  #chunkOf(key: string): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#chunks[middle]?.[0] ?? '') <= key) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}

function lowerBound(chunk: string[], key: string): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chunk[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
