import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Random choices that are reproducible by a seed. */
export interface Randomness {
  /** One of these; undefined if there is none. */
  one<T>(all: readonly T[]): T | undefined;
  shuffled<T>(all: readonly T[]): T[];
}

export function createRandomness(seed: number): Randomness {
  const generator = xoroshiro128plus(seed);
  const upTo = (last: number) => uniformInt(generator, 0, last);
  return {
    one: <T>(all: readonly T[]): T | undefined => (all.length ? all[upTo(all.length - 1)] : undefined),
    shuffled<T>(all: readonly T[]): T[] {
      const keyed = all.map((item) => ({ item, key: upTo(1_000_000_000) }));
      return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item);
    },
  };
}
