export const hours = ['dawn', 'day', 'golden', 'dusk', 'night'] as const;

/** How a picture differs from others of the same place category. */
export interface Variation {
  hour: (typeof hours)[number];
  /** The colors of painted surfaces, from 0 to 3. */
  paint: number;
  /** Returns one of some compositions. Consecutive ids differ. */
  compose<T>(compositions: readonly [T, ...T[]]): T;
  /** Picks one of some values; each `nth` picks independently. */
  pick<T>(values: readonly [T, ...T[]], nth: number): T;
}

const mix = (seed: number, nth: number) => {
  let mixed = Math.imul(seed ^ (nth + 1), 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
};

/** Returns the variation for an id, always the same. Consecutive ids differ in hour and composition. */
export function variationOf(id: number): Variation {
  const sequence = id + Math.floor(id / hours.length);
  return {
    hour: hours[id % hours.length] ?? 'day',
    paint: mix(id, 0) % 4,
    compose: (compositions) => compositions[sequence % compositions.length] ?? compositions[0],
    pick: (values, nth) => values[mix(id, nth) % values.length] ?? values[0],
  };
}
