import fc from 'fast-check';
import { distance, type Point } from '../src/geo.ts';
import { collectionWith, type Running, startServer } from './server.ts';

let running: Running;
beforeAll(async () => {
  running = await startServer();
});
afterAll(() => running.stop());

const geometry = (coordinates: Point) => ({ type: 'Point', coordinates });
/** Centers of the generated points: a city, edges of the grid at the poles and the date line, and remote places. */
const centers: Point[] = [
  [-73.8, 40.7],
  [0, 90],
  [120, -90],
  [180, 0],
  [-180, 65],
  [11.25, 45.5],
  [-30, -40],
];
const around = (spanDegrees: number) =>
  fc
    .tuple(
      fc.constantFrom(...centers),
      fc.double({ min: -spanDegrees, max: spanDegrees, noNaN: true }),
      fc.double({ min: -spanDegrees, max: spanDegrees, noNaN: true }),
    )
    .map(
      ([[lng, lat], east, north]): Point => [
        ((lng + east + 540) % 360) - 180,
        Math.max(-90, Math.min(90, lat + north)),
      ],
    );
const point = fc.oneof(around(0.01), around(0.3), around(5));

test('$nearSphere and $geoWithin return the same as a full scan, in order of distance, also at the poles and the date line', async () => {
  const points = fc.sample(point, { numRuns: 1_000, seed: 7 });
  const places = await collectionWith(
    running.db,
    points.map((at, _id) => ({ _id, at: geometry(at), odd: _id % 2 })),
  );
  await places.createIndex({ at: '2dsphere' });
  const queries = fc.record({
    center: point,
    max: fc.constantFrom(0, 90, 250, 1_000, 30_000, 700_000, 12_000_000, 30_000_000),
    limit: fc.constantFrom(1, 50, 400),
    skip: fc.constantFrom(0, 40),
    odd: fc.constantFrom({}, { odd: 1 }),
  });
  await fc.assert(
    fc.asyncProperty(queries, async ({ center, max, limit, skip, odd }) => {
      const near = { $nearSphere: { $geometry: geometry(center), $maxDistance: max } };
      const found = await places.find({ at: near, ...odd }, { limit, skip }).toArray();
      const ids = found.map(({ _id }) => Number(_id));
      const meters = (id: number) => distance(center, points[id] ?? [0, 0]);
      const expected = points
        .map((_, id) => id)
        .filter((id) => meters(id) <= max && (!('odd' in odd) || id % 2))
        .map(meters)
        .sort((a, b) => a - b);
      expect(ids.map(meters)).toEqual(expected.slice(skip, skip + limit));
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 120, seed: 11 },
  );
  await fc.assert(
    fc.asyncProperty(point, fc.constantFrom(500, 40_000, 900_000, 9_000_000), async (center, max) => {
      const within = { at: { $geoWithin: { $centerSphere: [center, max / 6_378_100] } } };
      const found = (await places.find(within).toArray()).map(({ _id }) => Number(_id));
      const expected = points.flatMap((point, id) => (distance(center, point) <= max ? id : []));
      expect(found.toSorted((a, b) => a - b)).toEqual(expected);
    }),
    { numRuns: 40, seed: 13 },
  );
});
