// Measures queries for the 50 nearest of 1,000 and of 100,000 points, in turn, in milliseconds.
import { Collection } from '../src/engine.ts';
import { select } from '../src/query.ts';

const town = { lat: 40.73, lng: -73.85 };
const rounds = 60;

/** Creates a collection with this number of points, most of them near the center of the town. */
function collectionOf(count: number): Collection {
  const places = new Collection('bench.places', [{ name: 'at_2dsphere', key: { at: '2dsphere' } }]);
  let state = count;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const scatter = () => (random() + random() + random() + random() - 2) * 0.15;
  for (let id = 1; id <= count; id++) {
    const doc = {
      _id: id,
      easy: id % 3 === 0,
      at: { type: 'Point', coordinates: [town.lng + scatter(), town.lat + scatter()] },
    };
    places.put({ id, doc }, doc, places.keysOf(doc));
  }
  return places;
}

const center = { type: 'Point', coordinates: [town.lng, town.lat] };
const queries = {
  'the 50 nearest': { at: { $nearSphere: { $geometry: center, $maxDistance: 5_000 } } },
  '… of a third': { at: { $nearSphere: { $geometry: center, $maxDistance: 5_000 } }, easy: true },
  '… anywhere': { at: { $nearSphere: { $geometry: center } } },
};
const collections = [1_000, 100_000].map(collectionOf);
for (const [name, filter] of Object.entries(queries)) {
  const times: number[][] = collections.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, places] of collections.entries()) {
      const start = performance.now();
      select(places, { filter, limit: 50 });
      times[index]?.push(performance.now() - start);
    }
  const [few = Number.NaN, many = Number.NaN] = times.map(
    (each) => each.toSorted((a, b) => a - b)[rounds / 2] ?? Number.NaN,
  );
  console.log(
    `${name}: ${few.toFixed(3)} among 1,000, ${many.toFixed(3)} among 100,000: × ${(many / few).toFixed(2)}`,
  );
}
