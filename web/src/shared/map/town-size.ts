/** How a town's name is written, by how many people live there: what `data-size` says in style sheets. */
const sizes = [
  { least: 1_000_000, size: 'city', font: 17 },
  { least: 200_000, size: 'large', font: 15 },
  { least: 40_000, size: 'middle', font: 13 },
  { least: 0, size: 'small', font: 12 },
] as const;

export type TownSize = (typeof sizes)[number]['size'];

/** Its size, and how much room its name takes, in pixels. */
export function townSize({ name, population }: { name: string; population: number }): {
  size: TownSize;
  room: { width: number; height: number };
} {
  const { size, font } = sizes.find(({ least }) => population >= least) ?? sizes[3];
  return { size, room: { width: name.length * font * 0.6 + 10, height: font * 1.6 } };
}
