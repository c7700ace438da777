import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Puzzle } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import type { ServiceKit } from '@wayquest/platform/service';
import { createStoredSecret } from '@wayquest/platform/store';

/** About a second of a phone's time: 65,536 attempts in the mean. */
const bits = 16;
const lifetimeMs = 10 * 60 * 1_000;

const isSolved = (nonce: string, solution: number): boolean =>
  createHash('sha256').update(`${nonce}:${solution}`).digest().readUInt32BE(0) >>> (32 - bits) === 0;

/**
 * Proof of work (hashcash): a nonce with its expiry time and our signature. All instances share the signing key in the
 * store.
 */
export interface Puzzles {
  ensureKey(): Promise<void>;
  create(): Omit<Puzzle, 'responseDays'>;
  /** Throws `puzzle-unsolved`. */
  assertSolved(nonce: string, solution: number): void;
}

/** Creates the proof of work that a report without an account requires. */
export function createPuzzles({ connection, clock }: Pick<ServiceKit, 'connection' | 'clock'>): Puzzles {
  const key = createStoredSecret(connection, 'puzzles');

  const seal = (text: string): string => createHmac('sha256', key.text()).update(text).digest('base64url');

  return {
    ensureKey: () => key.ensure(),

    create(): Omit<Puzzle, 'responseDays'> {
      const until = clock.now() + lifetimeMs;
      const text = `${until}.${randomBytes(12).toString('base64url')}`;
      return { nonce: `${text}.${seal(text)}`, bits, until: new Date(until).toISOString() };
    },

    assertSolved(nonce: string, solution: number): void {
      const [until = '', random = '', signature = ''] = nonce.split('.');
      const [expected, actual] = [Buffer.from(seal(`${until}.${random}`)), Buffer.from(signature)];
      const isAuthentic = expected.length === actual.length && timingSafeEqual(expected, actual);
      if (!isAuthentic || !(Number(until) > clock.now()) || !isSolved(nonce, solution))
        throw new Problem('puzzle-unsolved');
    },
  };
}
