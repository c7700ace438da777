import type { Address, Position } from '@wayquest/contracts';
import KDBush from 'kdbush';
import type { Region } from './names.ts';
import { createWordIndex, type PackedTexts, type PackedWords, texts, type WordIndex } from './word-index.ts';

/** A town, or the area of a postal code, whose name is the code. */
export interface Town {
  kind: 'town' | 'zip';
  name: string;
  city: string;
  /** `''` for none or several. */
  zip: string;
  region: Region;
  /** 0 if unknown. */
  population: number;
  lat: number;
  lng: number;
}

/**
 * All postal codes in order, then all towns, with a column for each field, so that loading takes milliseconds and no
 * object for each.
 */
export interface PackedTowns {
  regions: Region[];
  zipCount: number;
  cities: PackedTexts;
  /** Normalized. */
  names: PackedTexts;
  words: PackedWords;
  /** As numbers; `noZip` for none or several. */
  zips: Uint32Array;
  /** Index into `regions`. */
  regionOf: Uint16Array;
  populations: Uint32Array;
  /** Latitude and longitude of each in turn. */
  positions: Float64Array;
  /** Numbers of the towns, the largest first. */
  byPopulation: Uint32Array;
  /** KDBush's indexes of postal codes and of towns, each numbered from 0. */
  zipIndex: ArrayBufferLike;
  townIndex: ArrayBufferLike;
}

export const noZip = 100_000;

const zipText = (zip: number): string => (zip === noZip ? '' : String(zip).padStart(5, '0'));

/** Towns and postal codes by number. A search that compares thousands reads single columns. */
export interface Towns {
  at(id: number): Town;
  isZip(id: number): boolean;
  cityOf(id: number): string;
  regionOf(id: number): Region;
  populationOf(id: number): number;
  positionOf(id: number): Position;
  /** The normalized name. */
  nameOf(id: number): string;
  /** The area of a postal code that has a location. */
  ofZip(zip: string): Town | undefined;
  words: WordIndex;
  regions: readonly Region[];
  zipCount: number;
  /** Numbers of the towns, the largest first. */
  byPopulation: Uint32Array;
  zipIndex: KDBush;
  townIndex: KDBush;
}

/** Opens the packed table of towns without copying it. */
export function openTowns(packed: PackedTowns): Towns {
  const { regions, zipCount, zips, populations, positions, byPopulation } = packed;
  const cityOf = texts(packed.cities);
  const isZip = (id: number) => id < zipCount;
  const populationOf = (id: number) => populations[id] ?? 0;
  const positionOf = (id: number): Position => ({
    lat: positions[2 * id] ?? Number.NaN,
    lng: positions[2 * id + 1] ?? Number.NaN,
  });
  const regionOf = (id: number): Region => {
    const region = regions[packed.regionOf[id] ?? -1];
    if (!region) throw new Error(`there is no town ${id}`);
    return region;
  };

  const at = (id: number): Town => {
    const [city, zip] = [cityOf(id), zipText(zips[id] ?? noZip)];
    return {
      ...(isZip(id) ? { kind: 'zip', name: zip } : { kind: 'town', name: city }),
      ...{ city, zip, region: regionOf(id), population: populationOf(id) },
      ...positionOf(id),
    };
  };

  return {
    ...{ at, isZip, cityOf, regionOf, populationOf, positionOf },
    nameOf: texts(packed.names),
    ofZip(zip) {
      if (!/^\d{5}$/.test(zip)) return undefined;
      const id = zips.subarray(0, zipCount).indexOf(Number(zip));
      return id < 0 ? undefined : at(id);
    },
    words: createWordIndex(packed.words),
    ...{ regions, zipCount },
    byPopulation,
    zipIndex: KDBush.from(packed.zipIndex),
    townIndex: KDBush.from(packed.townIndex),
  };
}

export const addressOf = ({ city, zip, region }: Town): Address => ({
  streetAddress: '',
  city,
  state: region.state,
  zip,
});
