import { fuzzing } from '@wayquest/testing';
import fc from 'fast-check';
import { BSON } from 'mongodb';
import { equal, compare as ours } from '../src/order.ts';
import { decode } from '../src/values.ts';
import { compare } from './reference-model.ts';
import { findDifference, sequence, value } from './sequences.ts';
import { type Running, startServer } from './server.ts';

describe('random sequences', () => {
  let running: Running;
  beforeAll(async () => {
    running = await startServer();
  });
  afterAll(() => running.stop());

  it('of writes, queries, sorts and index changes have the same results as the reference model', async () => {
    let count = 0;
    const property = fc.asyncProperty(sequence, async (steps) => {
      expect(await findDifference(running.db, `s${count++}`, steps)).toBeUndefined();
    });
    await fc.assert(property, fuzzing(50));
  });
});

describe('the order of values', () => {
  it('is the same as in the reference model', () => {
    // Encoding and decoding gives the server's BSON classes; those of the driver are another copy.
    const read = (v: unknown) => decode(BSON.serialize({ v })).v;
    const property = fc.property(value, value, (a, b) => {
      expect(Math.sign(ours(read(a), read(b)))).toBe(Math.sign(compare(a, b)));
      expect(equal(read(a), read(b))).toBe(compare(a, b) === 0);
    });
    fc.assert(property, fuzzing(2_000));
  });

  it('is numeric for numbers, with NaN first, and bytewise for strings', () => {
    const numbers = fc.property(fc.double(), fc.double(), (a, b) => {
      const expected =
        Number.isNaN(a) || Number.isNaN(b)
          ? Number(Number.isNaN(b)) - Number(Number.isNaN(a))
          : a < b
            ? -1
            : a > b
              ? 1
              : 0;
      expect(ours(a, b)).toBe(expected);
    });
    fc.assert(numbers, fuzzing(2_000));
    const text = fc.string({ unit: 'binary' });
    const strings = fc.property(text, text, (a, b) => {
      expect(ours(a, b)).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    });
    fc.assert(strings, fuzzing(2_000));
  });
});
