/** The style of a town's name by its population: the value of `data-size` in style sheets. */
const sizes = [
  { least: 1_000_000, size: 'city', font: 17 },
  { least: 200_000, size: 'large', font: 15 },
  { least: 40_000, size: 'middle', font: 13 },
  { least: 0, size: 'small', font: 12 },
] as const;

export type TownSize = (typeof sizes)[number]['size'];

/** Returns its style, and the size of its name in pixels. */
export function townSize({ name, population }: { name: string; population: number }): {
  size: TownSize;
  room: { width: number; height: number };
} {
  const { size, font } = sizes.find(({ least }) => population >= least) ?? sizes[3];
  return { size, room: { width: name.length * font * 0.6 + 10, height: font * 1.6 } };
}
