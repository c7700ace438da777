import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Puzzle } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import type { ServiceKit } from '@wayquest/platform/service';
import { upsert } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';

interface KeyDocument {
  _id: 'puzzles';
  key: string;
}

const schema = new Schema<KeyDocument>({
  _id: { type: String, required: true },
  key: { type: String, required: true },
});
schema.set('shardKey', { _id: 'hashed' });

const keyModel = (connection: Connection) => connection.model<KeyDocument>('Key', schema, 'keys');

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
  create(): Promise<Omit<Puzzle, 'responseDays'>>;
  /** Throws `puzzle-unsolved`. */
  assertSolved(nonce: string, solution: number): Promise<void>;
}

/** Creates the proof of work that a report without an account requires. */
export function createPuzzles({ connection, clock }: Pick<ServiceKit, 'connection' | 'clock'>): Puzzles {
  const Keys = keyModel(connection);
  let key: string | undefined;

  const seal = async (text: string): Promise<string> => {
    key ??= (await Keys.findById('puzzles').orFail().lean()).key;
    return createHmac('sha256', key).update(text).digest('base64url');
  };

  return {
    async ensureKey(): Promise<void> {
      await upsert(
        Keys,
        { _id: 'puzzles' },
        { $setOnInsert: { key: randomBytes(32).toString('base64url') } },
      );
    },

    async create(): Promise<Omit<Puzzle, 'responseDays'>> {
      const until = clock.now() + lifetimeMs;
      const text = `${until}.${randomBytes(12).toString('base64url')}`;
      return { nonce: `${text}.${await seal(text)}`, bits, until: new Date(until).toISOString() };
    },

    async assertSolved(nonce: string, solution: number): Promise<void> {
      const [until = '', random = '', signature = ''] = nonce.split('.');
      const [expected, actual] = [Buffer.from(await seal(`${until}.${random}`)), Buffer.from(signature)];
      const isAuthentic = expected.length === actual.length && timingSafeEqual(expected, actual);
      if (!isAuthentic || !(Number(until) > clock.now()) || !isSolved(nonce, solution))
        throw new Problem('puzzle-unsolved');
    },
  };
}
