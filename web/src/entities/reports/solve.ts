import type { Puzzle } from '@wayquest/contracts';

/** Hashes per batch: the page can respond between batches. */
const atOnce = 1_000;

const startsWithZeros = (hash: ArrayBuffer, bits: number): boolean =>
  new DataView(hash).getUint32(0) >>> (32 - bits) === 0;

/** Finds the number that solves a proof of work. It takes about a second. */
export async function solve({ nonce, bits }: Pick<Puzzle, 'nonce' | 'bits'>): Promise<number> {
  const encoder = new TextEncoder();
  for (let from = 0; ; from += atOnce) {
    const hashes = await Promise.all(
      Array.from({ length: atOnce }, (_, nth) =>
        crypto.subtle.digest('SHA-256', encoder.encode(`${nonce}:${from + nth}`)),
      ),
    );
    const found = hashes.findIndex((hash) => startsWithZeros(hash, bits));
    if (found !== -1) return from + found;
  }
}
