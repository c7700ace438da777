export const hours = ['dawn', 'day', 'golden', 'dusk', 'night'] as const;

/** How pictures of the same kind of place differ. */
export interface Variation {
  /** Returns the index of a composition. */
  form(count: number): number;
  /** Picks one of some values; each `nth` picks independently. */
  pick<T>(values: readonly [T, ...T[]], nth: number): T;
}

const mix = (seed: number, nth: number) => {
  let mixed = Math.imul(seed ^ (nth + 1), 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
};

/** The variation for an id. Consecutive ids differ in hour and composition. */
export const variationOf = (id: number): Variation & { hour: (typeof hours)[number]; paint: number } => {
  const sequence = id + Math.floor(id / hours.length);
  const pick: Variation['pick'] = (values, nth) => values[mix(id, nth) % values.length] ?? values[0];
  return {
    hour: hours[id % hours.length] ?? 'day',
    paint: mix(id, 0) % 4,
    form: (count) => sequence % count,
    pick,
  };
};
