import { setImmediate as othersTurn } from 'node:timers/promises';
import KDBush from 'kdbush';
import { readTowns } from './geonames.ts';
import { normalize, type Region } from './names.ts';
import { noZip, type PackedTowns, type Town } from './towns.ts';
import { packTexts, packWords } from './word-index.ts';

function indexOf(towns: readonly Town[]): ArrayBufferLike {
  const index = new KDBush(towns.length);
  for (const { lat, lng } of towns) index.add(lng, lat);
  return index.finish().data;
}

/** Reads and packs the packages' data, which takes a second or two; it yields to the event loop in between. */
export async function packTowns(): Promise<PackedTowns> {
  const all = await readTowns();
  await othersTurn();
  const zips = all.filter(({ kind }) => kind === 'zip');
  const towns = all.filter(({ kind }) => kind === 'town');
  const ordered = [...zips, ...towns];
  const names = ordered.map(({ name }) => normalize(name));
  await othersTurn();
  const words = packWords(names);
  await othersTurn();
  const regions = new Map<Region, number>();
  const numberOf = (region: Region) => {
    const number = regions.get(region) ?? regions.size;
    regions.set(region, number);
    return number;
  };
  const regionOf = Uint16Array.from(ordered, ({ region }) => numberOf(region));
  const byPopulation = towns
    .map(({ population }, at) => ({ population, id: zips.length + at }))
    .sort((one, other) => other.population - one.population);
  return {
    regions: [...regions.keys()],
    zipCount: zips.length,
    cities: packTexts(ordered.map(({ city }) => city)),
    names: packTexts(names),
    words,
    zips: Uint32Array.from(ordered, ({ zip }) => (zip === '' ? noZip : Number(zip))),
    regionOf,
    populations: Uint32Array.from(ordered, ({ population }) => population),
    positions: Float64Array.from(ordered.flatMap(({ lat, lng }) => [lat, lng])),
    byPopulation: Uint32Array.from(byPopulation, ({ id }) => id),
    zipIndex: indexOf(zips),
    townIndex: indexOf(towns),
  };
}
