export const hours = ['dawn', 'day', 'golden', 'dusk', 'night'] as const;

/** What makes two pictures of the same kind of place differ. */
export interface Variation {
  /** The composition, of so many. */
  form(count: number): number;
  /** One of some values; another `nth` chooses independently. */
  pick<T>(values: readonly [T, ...T[]], nth: number): T;
}

const mix = (seed: number, nth: number) => {
  let mixed = Math.imul(seed ^ (nth + 1), 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
};

/** The same for the same id. Ids in a row differ in hour and composition. */
export const variationOf = (id: number): Variation & { hour: (typeof hours)[number]; paint: number } => {
  const turn = id + Math.floor(id / hours.length);
  const pick: Variation['pick'] = (values, nth) => values[mix(id, nth) % values.length] ?? values[0];
  return {
    hour: hours[id % hours.length] ?? 'day',
    paint: mix(id, 0) % 4,
    form: (count) => turn % count,
    pick,
  };
};
