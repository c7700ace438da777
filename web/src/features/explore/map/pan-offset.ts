/** The edges of an element on the screen, in pixels. */
type Edges = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

/** Minimum gap between a window and the edge of its map. */
const gap = 16;

/** Returns how far a map has to move until a whole box is visible; the upper left corner takes precedence. */
export function panOffset(box: Edges, frame: Edges): [x: number, y: number] {
  const along = (from: number, to: number, start: number, end: number) =>
    from < start + gap ? from - start - gap : Math.max(0, Math.min(to - end + gap, from - start - gap));
  return [
    along(box.left, box.right, frame.left, frame.right),
    along(box.top, box.bottom, frame.top, frame.bottom),
  ];
}
