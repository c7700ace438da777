import { createHash } from 'node:crypto';
import type { Puzzle } from '@wayquest/contracts';

/** What a browser finds. */
export const solve = ({ nonce, bits }: Puzzle): number => {
  for (let number = 0; ; number++) {
    const hash = createHash('sha256').update(`${nonce}:${number}`).digest();
    if (hash.readUInt32BE(0) >>> (32 - bits) === 0) return number;
  }
};
