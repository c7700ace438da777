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
  /** Whether it is left out rather than moved. */
  isFixed?: boolean;
}

const overlaps = (one: Label, other: Label): boolean =>
  Math.abs(one.at.x - other.at.x) < (one.room.width + other.room.width) / 2 &&
  Math.abs(one.at.y - other.at.y) < (one.room.height + other.room.height) / 2;

/**
 * Returns the labels that overlap neither each other nor an obstacle; earlier ones take precedence. One that an obstacle covers is moved
 * above it, or below.
 */
export function withoutOverlaps<S extends Label>(labels: S[], obstacles: Label[] = []): S[] {
  const placed = [...obstacles];
  return labels.flatMap((label) => {
    const cover = label.isFixed ? undefined : obstacles.find((obstacle) => overlaps(obstacle, label));
    // One pixel more, since sums of fractions are rounded.
    const away = cover ? (cover.room.height + label.room.height) / 2 + 1 : 0;
    const [x, y] = [label.at.x, cover?.at.y ?? label.at.y];
    const free = [-away, away]
      .map((down) => ({ ...label, at: { x, y: y + down } }))
      .find((one) => !placed.some((other) => overlaps(one, other)));
    if (!free) return [];
    placed.push(free);
    return free;
  });
}
