import { PlaceType } from '@wayquest/contracts';
import { readTowns } from '../src/gazetteer/geonames.ts';
import { kmBetween, readKnownPlaces, type TypedPlace } from '../src/gazetteer/known-places.ts';

let known: TypedPlace[];
beforeAll(async () => {
  known = await readKnownPlaces();
});

it('known places contain at least ten of every kind', () => {
  for (const type of PlaceType.options) {
    expect([type, known.filter((place) => place.type === type).length >= 10]).toEqual([type, true]);
  }
});

it('known places contain each place once', () => {
  expect(new Set(known.map(({ id }) => id)).size).toBe(known.length);
});

it('known places are all in and around Queens', () => {
  const outside = known.filter(
    ({ position: { lat, lng } }) => lat < 40.53 || lat > 40.92 || lng < -74.06 || lng > -73.55,
  );
  expect(outside).toEqual([]);
});

it('known places are near the center of their postal code, if that is known', async () => {
  const centers = new Map((await readTowns()).map((area) => [area.zip, area]));
  const misplaced = known.filter(({ zip, position }) => {
    const center = centers.get(zip);
    return center && kmBetween(center, position) > 5;
  });
  expect(misplaced).toEqual([]);
  expect(known.filter(({ zip }) => !centers.has(zip)).length).toBeLessThan(10);
});
