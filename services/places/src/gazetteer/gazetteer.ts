import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Address, BoundingBox, Place, PlaceType, Position } from '@wayquest/contracts';
import { around } from 'geokdbush';
import KDBush from 'kdbush';
import { byDistance, kmBetween } from './distance.ts';
import { type KnownPlace, readKnownPlaces } from './known-places.ts';
import { isHome } from './regions.ts';
import { createSearch } from './search.ts';
import { normalize } from './text.ts';
import { addressOf, readTowns, type Town } from './towns.ts';

/** What Wayquest knows of the world by itself. */
export interface Gazetteer {
  /** The likeliest first, where what is near `near` is likelier. */
  search(text: string, near: Position, most: number): Place[];
  /** Of a known place there, or else of the town; undefined far from any. */
  reverse(at: Position): Address | undefined;
  /** The towns with the most people in a part of the world. */
  townsIn(box: BoundingBox, most: number): Town[];
  /** All known places of a kind. */
  ofType(type: PlaceType): Place[];
  /** A known place, by its name or street address, in or near a town or postal code. */
  find(wanted: Address & { name: string }): Position | undefined;
  /** Whether a point may be in this town or postal code, as far as they are known. */
  agrees(position: Position, address: Address): boolean;
  /** The town that a postal code belongs to, as addresses write it. */
  townOf(zip: string): Pick<Address, 'city' | 'state'> | undefined;
}

/** As near as one has to be to a known place to stand at it. */
const atPlaceKm = 0.06;
/** Farther from any town, nothing is known; out at sea, above all. */
const inTownKm = 30;
/** A town's or postal code's middle is no farther from a place in it. */
const withinTownKm = 20;

const same = (one: string, other: string): boolean => normalize(one) === normalize(other);

/** `41-17 Main St` is one place, `Flushing Meadows Corona Park` holds many. */
const hasNumber = (streetAddress: string): boolean => /^\d/.test(streetAddress);

function indexOf(positions: readonly Position[]): KDBush {
  const index = new KDBush(positions.length);
  for (const { lat, lng } of positions) index.add(lng, lat);
  return index.finish();
}

/** In degrees each way: of what is wider most towns would have to be read, and soon enough are among the largest. */
const wide = 5;
const isWide = ({ west, south, east, north }: BoundingBox): boolean =>
  north - south > wide && (west <= east ? east - west : east - west + 360) > wide;

/** The first of many that are in a part of the world. */
function firstIn({ west, south, east, north }: BoundingBox, towns: readonly Town[], most: number): Town[] {
  const found: Town[] = [];
  for (const town of towns) {
    if (found.length === most) break;
    const { lat, lng } = town;
    const isBetween = west <= east ? lng >= west && lng <= east : lng >= west || lng <= east;
    if (isBetween && lat >= south && lat <= north) found.push(town);
  }
  return found;
}

/** Reads and indexes it all, which takes a second or two; others get their turn in between. */
export async function loadGazetteer(): Promise<Gazetteer> {
  const [known, areas] = await Promise.all([readKnownPlaces(), readTowns()]);
  const zips = areas.filter(({ kind }) => kind === 'zip');
  const towns = areas.filter(({ kind }) => kind === 'town');
  await othersTurn();
  const zipIndex = indexOf(zips);
  await othersTurn();
  const townIndex = indexOf(towns);
  await othersTurn();
  const byPopulation = towns.toSorted((one, other) => other.population - one.population);
  await othersTurn();
  const byZip = new Map(zips.map((area) => [area.zip, area]));
  const search = await createSearch(known, areas);

  const nearest = (index: KDBush, of: readonly Town[], { lat, lng }: Position): Town | undefined => {
    const [id] = around(index, lng, lat, 1, inTownKm);
    return id === undefined ? undefined : of[id];
  };

  /** Where a town or postal code may be. */
  const middlesOf = ({ city, state, zip }: Address): Position[] => {
    const area = byZip.get(zip);
    if (area) return [area];
    return search
      .townsNamed(city)
      .filter(({ region }) => ` ${region.words} `.includes(` ${normalize(state)}`));
  };

  const agrees = (position: Position, address: Address) =>
    middlesOf(address).some((middle) => kmBetween(middle, position) <= withinTownKm);

  return {
    search: search.find,

    reverse(at) {
      const [here] = byDistance(known, at, atPlaceKm);
      if (here) {
        const { streetAddress, city, state, zip } = here;
        return { streetAddress, city, state, zip };
      }
      const town = nearest(townIndex, towns, at);
      const zip = nearest(zipIndex, zips, at);
      const area = zip && (!town || isHome(town.region)) ? zip : town;
      return area && addressOf(area);
    },

    townsIn(box, most) {
      if (isWide(box)) return firstIn(box, byPopulation, most);
      const { west, south, east, north } = box;
      const halves = west <= east ? [[west, east] as const] : [[west, 180] as const, [-180, east] as const];
      return halves
        .flatMap(([from, to]) => townIndex.range(from, south, to, north))
        .flatMap((id) => towns[id] ?? [])
        .sort((one, other) => other.population - one.population)
        .slice(0, most);
    },

    ofType: (type) => known.filter((place) => place.type === type),

    find(wanted) {
      const isIt = ({ name, streetAddress }: KnownPlace) =>
        same(wanted.name, name) || (hasNumber(streetAddress) && same(wanted.streetAddress, streetAddress));
      return known.find((place) => isIt(place) && agrees(place.position, wanted))?.position;
    },

    agrees,

    townOf(zip) {
      const area = byZip.get(zip);
      return area && { city: area.city, state: area.region.state };
    },
  };
}
