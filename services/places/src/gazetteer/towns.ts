import type { Address, Position } from '@wayquest/contracts';
import KDBush from 'kdbush';
import { type PackedTexts, texts } from './packed-texts.ts';
import type { Region } from './regions.ts';
import { createWordIndex, type PackedWords, type WordIndex } from './word-index.ts';

/** A town, or the area of a postal code, whose name is then the code. */
export interface Town {
  kind: 'town' | 'zip';
  name: string;
  city: string;
  /** `''` where it has none or several. */
  zip: string;
  region: Region;
  /** 0 where nobody says. */
  population: number;
  lat: number;
  lng: number;
}

/**
 * All postal codes, in their order, then all towns: a column for each of their fields. So they are read in milliseconds,
 * and no object stays for each.
 */
export interface PackedTowns {
  regions: Region[];
  zipCount: number;
  cities: PackedTexts;
  /** As they are compared. */
  names: PackedTexts;
  words: PackedWords;
  /** As numbers; `noZip` where it has none or several. */
  zips: Uint32Array;
  /** Where in `regions` it is. */
  regionOf: Uint16Array;
  populations: Uint32Array;
  /** Of the first, its latitude and its longitude, and so on. */
  positions: Float64Array;
  /** The towns, the one with the most people first. */
  byPopulation: Uint32Array;
  /** KDBush's indexes of postal codes and of towns, each numbered from its first on. */
  zipIndex: ArrayBufferLike;
  townIndex: ArrayBufferLike;
}

export const noZip = 100_000;

const zipText = (zip: number): string => (zip === noZip ? '' : String(zip).padStart(5, '0'));

/** Towns and postal codes by their numbers. What a search asks of thousands is answered without the whole of them. */
export interface Towns {
  at(id: number): Town;
  isZip(id: number): boolean;
  cityOf(id: number): string;
  regionOf(id: number): Region;
  populationOf(id: number): number;
  positionOf(id: number): Position;
  /** As it is compared. */
  nameOf(id: number): string;
  /** That of a postal code that has a place of its own. */
  ofZip(zip: string): Town | undefined;
  words: WordIndex;
  zipCount: number;
  /** The towns, the one with the most people first. */
  byPopulation: Uint32Array;
  zipIndex: KDBush;
  townIndex: KDBush;
}

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
    zipCount,
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
