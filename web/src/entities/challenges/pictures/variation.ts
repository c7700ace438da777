const hours = ['dawn', 'day', 'golden', 'dusk', 'night'] as const;
type Hour = (typeof hours)[number];

/** What one sees at a glance of a drawing: two of a place category that differ in it look different. */
export interface Look {
  /** Which of the compositions of the place category. */
  composition: number;
  /** Seen from the other side. */
  mirrored: boolean;
  hour: Hour;
}

/** How a drawing differs from others of the same look. */
export interface Variation {
  /** The colors of painted surfaces, from 0 to 3. */
  paint: number;
  /** Picks one of some values; each `nth` picks independently. */
  pick<T>(values: readonly [T, ...T[]], nth: number): T;
}

const mix = (seed: number, nth: number) => {
  let mixed = Math.imul(seed ^ (nth + 1), 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
};

/** Returns the variation for an id, always the same. */
export const variationOf = (id: number): Variation => ({
  paint: mix(id, 0) % 4,
  pick: (values, nth) => values[mix(id, nth) % values.length] ?? values[0],
});

const hourAt = (index: number): Hour => hours[index % hours.length] ?? 'day';

/**
 * Returns the look for an id, always the same. Consecutive ids differ in hour and composition.
 *
 * @param compositions - How many the place category has.
 */
export const lookOf = (id: number, compositions: number): Look => ({
  composition: (id + Math.floor(id / hours.length)) % compositions,
  mirrored: false,
  hour: hourAt(id),
});

/** A drawing in a list. */
interface Drawn {
  id: number;
  placeCategory: string;
  /** How many its place category has. */
  compositions: number;
}

/** No drawing occurs twice among as many in a row. Each place category has at least 20 looks. */
const distinctInRow = 12;

/**
 * Returns how the drawings of a list look, so that neighbors differ: each as everywhere else, unless one of the eleven before
 * it has the same composition. Then it has the one that they show least, mirrored if need be, at an hour at which they do not
 * show it. It depends on the ids and their order only, and on nothing that follows: a longer list begins as the shorter one.
 */
export function distinctLooks(drawings: readonly Drawn[]): Map<number, Look> {
  const chosen: { placeCategory: string; look: Look }[] = [];
  const looks = new Map<number, Look>();
  for (const { id, placeCategory, compositions } of drawings) {
    const before = chosen
      .slice(1 - distinctInRow)
      .filter((one) => one.placeCategory === placeCategory)
      .map(({ look }) => look);
    const own = lookOf(id, compositions);
    const shapes = Array.from({ length: 2 * compositions }, (_, nth) => ({
      composition: (own.composition + nth) % compositions,
      mirrored: nth >= compositions,
    }));
    /** How similar a shape is to those before: to the last one, its composition, and also its side. */
    const similarityOf = ({ composition, mirrored }: Omit<Look, 'hour'>) => {
      const same = before.filter((look) => look.composition === composition);
      const isLast = before.at(-1)?.composition === composition;
      return (isLast ? 100 : 0) + 2 * same.length + same.filter((look) => look.mirrored === mirrored).length;
    };
    const [shape = own] = shapes.toSorted((one, other) => similarityOf(one) - similarityOf(other));
    const taken = before.filter(
      (look) => look.composition === shape.composition && look.mirrored === shape.mirrored,
    );
    const hour = hours
      .map((_, nth) => hourAt(id + nth))
      .find((free) => !taken.some((look) => look.hour === free));
    const look = { ...shape, hour: hour ?? own.hour };
    chosen.push({ placeCategory, look });
    looks.set(id, look);
  }
  return looks;
}
