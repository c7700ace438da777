import fc from 'fast-check';
import { distance, type Point } from '../src/geo.ts';
import { collectionWith, type Running, startServer } from './server.ts';

let running: Running;
beforeAll(async () => {
  running = await startServer();
});
afterAll(() => running.stop());

const geometry = (coordinates: Point) => ({ type: 'Point', coordinates });
/** Where a grid has its edges: a city, the poles, the date line, and far from everything. */
const corners: Point[] = [
  [-73.8, 40.7],
  [0, 90],
  [120, -90],
  [180, 0],
  [-180, 65],
  [11.25, 45.5],
  [-30, -40],
];
const about = (span: number) =>
  fc
    .tuple(
      fc.constantFrom(...corners),
      fc.double({ min: -span, max: span, noNaN: true }),
      fc.double({ min: -span, max: span, noNaN: true }),
    )
    .map(
      ([[lng, lat], east, north]): Point => [
        ((lng + east + 540) % 360) - 180,
        Math.max(-90, Math.min(90, lat + north)),
      ],
    );
const spot = fc.oneof(about(0.01), about(0.3), about(5));

test('what is near is the same that a look at everything finds, in order, at poles and the date line too', async () => {
  const points = fc.sample(spot, { numRuns: 1_000, seed: 7 });
  const places = await collectionWith(
    running.db,
    points.map((at, _id) => ({ _id, at: geometry(at), odd: _id % 2 })),
  );
  await places.createIndex({ at: '2dsphere' });
  const question = fc.record({
    centre: spot,
    max: fc.constantFrom(0, 90, 250, 1_000, 30_000, 700_000, 12_000_000, 30_000_000),
    limit: fc.constantFrom(1, 50, 400),
    skip: fc.constantFrom(0, 40),
    odd: fc.constantFrom({}, { odd: 1 }),
  });
  await fc.assert(
    fc.asyncProperty(question, async ({ centre, max, limit, skip, odd }) => {
      const near = { $nearSphere: { $geometry: geometry(centre), $maxDistance: max } };
      const found = await places.find({ at: near, ...odd }, { limit, skip }).toArray();
      const ids = found.map(({ _id }) => Number(_id));
      const metres = (id: number) => distance(centre, points[id] ?? [0, 0]);
      const all = points
        .map((_, id) => id)
        .filter((id) => metres(id) <= max && (!('odd' in odd) || id % 2))
        .map(metres)
        .sort((a, b) => a - b);
      expect(ids.map(metres)).toEqual(all.slice(skip, skip + limit));
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 120, seed: 11 },
  );
  await fc.assert(
    fc.asyncProperty(spot, fc.constantFrom(500, 40_000, 900_000, 9_000_000), async (centre, max) => {
      const within = { at: { $geoWithin: { $centerSphere: [centre, max / 6_378_100] } } };
      const found = (await places.find(within).toArray()).map(({ _id }) => Number(_id));
      const all = points.flatMap((point, id) => (distance(centre, point) <= max ? id : []));
      expect(found.toSorted((a, b) => a - b)).toEqual(all);
    }),
    { numRuns: 40, seed: 13 },
  );
});
