import fc from 'fast-check';
import { cornersNear } from '../src/shared/map/corners-near.ts';

const bounds = { left: 0, right: 10, top: 0, bottom: 10 };

/** Whether a point is inside an outline, by the number of edges to its right. */
function contains(corners: ArrayLike<number>, x: number, y: number): boolean {
  let isInside = false;
  for (let index = 0; index < corners.length; index += 2) {
    const next = (index + 2) % corners.length;
    const [fromX = 0, fromY = 0, toX = 0, toY = 0] = [
      ...[corners[index], corners[index + 1]],
      ...[corners[next], corners[next + 1]],
    ];
    if (fromY > y !== toY > y && x < fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX))
      isInside = !isInside;
  }
  return isInside;
}

const coordinate = fc.integer({ min: -30, max: 40 });

test('an outline without its distant corners encloses the same points within the bounds', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 40 }), (outline) => {
      const line = Int32Array.from([...outline, ...outline.slice(0, 1)].flat());
      const corners = cornersNear(line, bounds);
      // Between the whole numbers, so that no point is on an edge's end.
      for (let x = 0.31; x < 10; x += 1.7)
        for (let y = 0.47; y < 10; y += 1.7)
          expect(contains(corners, x, y)).toBe(contains(line.subarray(0, -2), x, y));
    }),
    { seed: 7, numRuns: 300 },
  );
});

test('an outline that is long outside of the bounds loses the corners there', () => {
  const coast = Array.from({ length: 100 }, (_, index) => [-5 - (index % 3), index - 50]);
  const outline = [[5, -60], ...coast, [5, 60], [5, -60]];
  const corners = cornersNear(Int32Array.from(outline.flat()), bounds);
  expect(corners.length / 2).toBeLessThan(6);
});
