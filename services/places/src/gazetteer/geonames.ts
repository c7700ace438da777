import { setImmediate as othersTurn } from 'node:timers/promises';
import { readCities, readZipAreas, type ZipArea } from './packages.ts';
import { createRegions, isInHomeCountry, type Region } from './regions.ts';
import { normalize } from './text.ts';
import type { Town } from './towns.ts';

function grouped<T>(items: T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/**
 * If this many postal codes share a point, they are those of boxes and firms, and the point is the center of their
 * county or city.
 */
const tooManyAtOnePoint = 3;

const withPlacesOfTheirOwn = (areas: ZipArea[]): ZipArea[] =>
  [...grouped(areas, ({ lat, lng }) => `${lat},${lng}`).values()]
    .filter((atOnePoint) => atOnePoint.length < tooManyAtOnePoint)
    .flat();

const middle = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const rounded = (degrees: number) => Math.round(degrees * 1e5) / 1e5;

const keyOf = (name: string, { country, state }: Region) => `${normalize(name)}/${state}/${country}`;

/** Reads postal codes, the towns that they belong to, and the other towns of the world, from GeoNames. */
export async function readTowns(): Promise<Town[]> {
  const areas = await readZipAreas();
  const cities = await readCities();
  await othersTurn();
  const regionOf = createRegions(new Map(areas.map(({ state, stateName }) => [state, stateName])));

  const others = cities.map(({ name, country, division, population, lat, lng }): Town => {
    const region = regionOf(country, division);
    return { kind: 'town', name, city: name, zip: '', region, population, lat, lng };
  });
  const abroad = others.filter(({ region }) => !isInHomeCountry(region));
  const atHome = others.filter(({ region }) => isInHomeCountry(region));
  const populations = new Map(
    atHome.map(({ name, region, population }) => [keyOf(name, region), population]),
  );

  const zips = withPlacesOfTheirOwn(areas).map(({ zip, city, state, lat, lng }): Town => {
    return { kind: 'zip', name: zip, city, zip, region: regionOf('US', state), population: 0, lat, lng };
  });
  const zipsOfTowns = grouped(zips, ({ city, region }) => keyOf(city, region));
  const towns = [...zipsOfTowns].flatMap(([key, its]): Town[] => {
    const [first, another] = its;
    if (!first) return [];
    return [
      {
        ...first,
        kind: 'town',
        name: first.city,
        zip: another ? '' : first.zip,
        population: populations.get(key) ?? 0,
        lat: rounded(middle(its.map((area) => area.lat))),
        lng: rounded(middle(its.map((area) => area.lng))),
      },
    ];
  });
  const withoutZips = atHome.filter(({ name, region }) => !zipsOfTowns.has(keyOf(name, region)));
  return [...zips, ...towns, ...withoutZips, ...abroad];
}
