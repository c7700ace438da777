/** The style of a town's name by its population: the value of `data-size` in style sheets. */
const sizes = [
  { minPopulation: 1_000_000, size: 'city', font: 17 },
  { minPopulation: 200_000, size: 'large', font: 15 },
  { minPopulation: 40_000, size: 'middle', font: 13 },
  { minPopulation: 0, size: 'small', font: 12 },
] as const;

type TownSize = (typeof sizes)[number]['size'];

/** Returns its style, and the size of its name in pixels. */
export function townSize({ name, population }: { name: string; population: number }): {
  size: TownSize;
  room: { width: number; height: number };
} {
  const { size, font } = sizes.find(({ minPopulation }) => population >= minPopulation) ?? sizes[3];
  return { size, room: { width: name.length * font * 0.6 + 10, height: font * 1.6 } };
}

interface Label {
  /** Center, in pixels. */
  at: { x: number; y: number };
  /** Size, in pixels. */
  room: { width: number; height: number };
}

/** Returns the labels that do not overlap; earlier ones take precedence. */
export function withoutOverlaps<S extends Label>(labels: S[]): S[] {
  const placed: Label[] = [];
  return labels.filter((one) => {
    const isCrowded = placed.some(
      ({ at, room }) =>
        Math.abs(at.x - one.at.x) < (room.width + one.room.width) / 2 &&
        Math.abs(at.y - one.at.y) < (room.height + one.room.height) / 2,
    );
    if (!isCrowded) placed.push(one);
    return !isCrowded;
  });
}
