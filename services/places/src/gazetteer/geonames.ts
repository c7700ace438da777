import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { readCities, readZipAreas, type ZipArea } from './packages.ts';
import { createRegions, isInHomeCountry, type Region } from './regions.ts';
import { normalize } from './text.ts';
import type { Town } from './towns.ts';

function groupBy<T>(items: T[], keyOf: (item: T) => string): Map<string, T[]> {
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
const maxZipsPerPoint = 3;

const withDistinctPositions = (areas: ZipArea[]): ZipArea[] =>
  [...groupBy(areas, ({ lat, lng }) => `${lat},${lng}`).values()]
    .filter((atOnePoint) => atOnePoint.length < maxZipsPerPoint)
    .flat();

const center = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const rounded = (degrees: number) => Math.round(degrees * 1e5) / 1e5;

const keyOf = (name: string, { country, state }: Region) => `${normalize(name)}/${state}/${country}`;

/** Reads postal codes, the towns that they belong to, and the other towns of the world, from GeoNames. */
export async function readTowns(): Promise<Town[]> {
  const areas = await readZipAreas();
  const cities = await readCities();
  await yieldToEventLoop();
  const regionOf = createRegions(new Map(areas.map(({ state, stateName }) => [state, stateName])));

  const others = cities.map(({ name, country, division, population, lat, lng }): Town => {
    const region = regionOf(country, division);
    return { kind: 'town', name, city: name, zip: '', region, population, lat, lng };
  });
  const foreignTowns = others.filter(({ region }) => !isInHomeCountry(region));
  const domesticTowns = others.filter(({ region }) => isInHomeCountry(region));
  const populations = new Map(
    domesticTowns.map(({ name, region, population }) => [keyOf(name, region), population]),
  );

  const zips = withDistinctPositions(areas).map(({ zip, city, state, lat, lng }): Town => {
    return { kind: 'zip', name: zip, city, zip, region: regionOf('US', state), population: 0, lat, lng };
  });
  const zipsOfTowns = groupBy(zips, ({ city, region }) => keyOf(city, region));
  const towns = [...zipsOfTowns].flatMap(([key, zipAreas]): Town[] => {
    const [first, another] = zipAreas;
    if (!first) return [];
    return [
      {
        ...first,
        kind: 'town',
        name: first.city,
        zip: another ? '' : first.zip,
        population: populations.get(key) ?? 0,
        lat: rounded(center(zipAreas.map((area) => area.lat))),
        lng: rounded(center(zipAreas.map((area) => area.lng))),
      },
    ];
  });
  const townsWithoutZip = domesticTowns.filter(({ name, region }) => !zipsOfTowns.has(keyOf(name, region)));
  return [...zips, ...towns, ...townsWithoutZip, ...foreignTowns];
}
