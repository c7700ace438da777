/** A square of the map. */
export interface Bounds {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * Returns an area's outline without the corners that are beyond an edge of the bounds together with both of their
 * neighbors: a coast is long, and a tile shows little of it. What is drawn within the bounds stays the same.
 *
 * @param line - x, y, x, y …; the last point repeats the first
 * @returns The corners in the same form, without the repeated one.
 */
export function cornersNear(line: Int32Array, { left, right, top, bottom }: Bounds): number[] {
  const around = line.length - 2;
  /** The edges that a corner is beyond, as bits. */
  const beyond = (index: number): number => {
    const [x = 0, y = 0] = [line[index], line[index + 1]];
    return (x < left ? 1 : 0) | (x > right ? 2 : 0) | (y < top ? 4 : 0) | (y > bottom ? 8 : 0);
  };
  const corners: number[] = [];
  let last = 0;
  let here = beyond(0);
  for (let index = 0; index < around; index += 2) {
    const next = beyond((index + 2) % around);
    if (index === 0 || !(last & here & next)) {
      corners.push(line[index] ?? 0, line[index + 1] ?? 0);
      last = here;
    }
    here = next;
  }
  return corners;
}
