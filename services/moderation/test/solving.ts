import { createHash } from 'node:crypto';
import type { Puzzle } from '@wayquest/contracts';

/** Solves a proof-of-work puzzle, as a browser does. */
export const solve = ({ nonce, bits }: Puzzle): number => {
  for (let number = 0; ; number++) {
    const hash = createHash('sha256').update(`${nonce}:${number}`).digest();
    if (hash.readUInt32BE(0) >>> (32 - bits) === 0) return number;
  }
};
