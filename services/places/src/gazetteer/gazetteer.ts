import type { Address, BoundingBox, FoundPlace, PlaceType, Position } from '@wayquest/contracts';
import { around } from 'geokdbush';
import type KDBush from 'kdbush';
import { byDistance, kmBetween, readKnownPlaces, type TypedPlace } from './known-places.ts';
import { isInHomeCountry, normalize, type Region } from './names.ts';
import { readPackedTowns } from './packed-file.ts';
import { createSearch } from './search.ts';
import { maxTownDistanceKm, type TownsWithin } from './town-areas.ts';
import { addressOf, openTowns, type Town } from './towns.ts';

/** A town that an address may mean. */
export interface FoundTown extends Position {
  /** 0 if unknown. */
  population: number;
}

/** The built-in data about towns and places. */
export interface Gazetteer {
  /** Best match first; results closer to `near` rank higher. */
  search(text: string, near: Position, max: number): FoundPlace[];
  /** Of a known place there, or else of the town; undefined far from any. */
  reverse(at: Position): Address | undefined;
  /** The towns whose centers are within so many kilometers, the nearest first. */
  townsWithin: TownsWithin;
  /** The largest towns in a box. */
  townsIn(box: BoundingBox, max: number): Town[];
  /** The known places in a box. */
  knownIn(box: BoundingBox, max: number): TypedPlace[];
  /** All known places of a kind. */
  ofType(type: PlaceType): TypedPlace[];
  /** A known place, by its name or street address, in or near a town or postal code. */
  findKnown(wanted: Address & { name: string }): Position | undefined;
  /** Whether a point may be at this address: nothing that is known of its town, postal code and state is against it. */
  isNear(position: Position, address: Address): boolean;
  /** The towns that an address may mean, largest first. */
  townsMatching(address: Omit<Address, 'streetAddress'>): FoundTown[];
  /** The town that a postal code belongs to, as addresses write it. */
  townOfZip(zip: string): Pick<Address, 'city' | 'state'> | undefined;
}

/** How near a position has to be to a known place to have its address. */
const maxPlaceDistanceKm = 0.06;
/** The center of a town or postal code is no farther from a place in it. */
const maxTownRadiusKm = 20;

const foundTown = ({ lat, lng, population }: Town): FoundTown => ({ lat, lng, population });

const same = (one: string, other: string): boolean => normalize(one) === normalize(other);

/** `41-17 Main St` is one place, `Flushing Meadows Corona Park` contains many. */
const hasNumber = (streetAddress: string): boolean => /^\d/.test(streetAddress);

/** In degrees each way: a wider box contains most towns, and enough of the largest ones are found sooner. */
const wideBoxDegrees = 5;
const isWide = ({ west, south, east, north }: BoundingBox): boolean =>
  north - south > wideBoxDegrees && (west <= east ? east - west : east - west + 360) > wideBoxDegrees;

const isIn = ({ lat, lng }: Position, { west, south, east, north }: BoundingBox): boolean => {
  const isBetween = west <= east ? lng >= west && lng <= east : lng >= west || lng <= east;
  return isBetween && lat >= south && lat <= north;
};

/** Reads the file that the build packed; without a build it is packed first, which takes a second or two. */
export async function loadGazetteer(): Promise<Gazetteer> {
  const [known, packed] = await Promise.all([readKnownPlaces(), readPackedTowns()]);
  const towns = openTowns(packed);
  const search = createSearch(known, towns);

  const nearest = (index: KDBush, firstId: number, { lat, lng }: Position): Town | undefined => {
    const [id] = around(index, lng, lat, 1, maxTownDistanceKm);
    return id === undefined ? undefined : towns.at(firstId + id);
  };

  /** The first towns, by population, that are in a box. */
  const largestIn = (box: BoundingBox, max: number): Town[] => {
    const found: Town[] = [];
    for (const id of towns.byPopulation) {
      if (found.length === max) break;
      if (isIn(towns.positionOf(id), box)) found.push(towns.at(id));
    }
    return found;
  };

  const isInState = (region: Region, state: string) => ` ${region.words} `.includes(` ${normalize(state)} `);

  /** Whether a text is the name of a state or country, rather than of a province, which the data lack. */
  const isKnownState = (state: string) => towns.regions.some((region) => isInState(region, state));

  /** Those that are in the state, if it is known. */
  const inState = (found: Town[], state: string) =>
    isKnownState(state) ? found.filter(({ region }) => isInState(region, state)) : found;

  /** The area of a postal code, if that is of the town or state: codes of other countries may look like one. */
  const areaOf = ({ city, state, zip }: Omit<Address, 'streetAddress'>): Town | undefined => {
    const area = towns.ofZip(zip);
    const belongs = area && (state ? isInState(area.region, state) : !city || same(area.city, city));
    return belongs ? area : undefined;
  };

  /** Whether a position is in the town or postal code of an address; undefined if these are unknown. */
  const isInTown = (position: Position, address: Address): boolean | undefined => {
    const area = areaOf(address);
    const named = inState(search.townsNamed(address.city), address.state);
    const centers = area ? [area, ...named] : named;
    if (!centers.length) return undefined;
    return centers.some((center) => kmBetween(center, position) <= maxTownRadiusKm);
  };

  const townAt = (at: Position) => nearest(towns.townIndex, towns.zipCount, at);

  const townsWithin = ({ lat, lng }: Position, km: number): Town[] =>
    around(towns.townIndex, lng, lat, Number.POSITIVE_INFINITY, km).map((id) =>
      towns.at(towns.zipCount + id),
    );

  return {
    search: search.find,

    reverse(at) {
      const [nearestKnown] = byDistance(known, at, maxPlaceDistanceKm);
      if (nearestKnown) {
        const { streetAddress, city, state, zip } = nearestKnown;
        return { streetAddress, city, state, zip };
      }
      const town = townAt(at);
      const zip = nearest(towns.zipIndex, 0, at);
      const area = zip && (!town || isInHomeCountry(town.region)) ? zip : town;
      return area && addressOf(area);
    },

    townsWithin,

    townsIn(box, max) {
      if (isWide(box)) return largestIn(box, max);
      const { west, south, east, north } = box;
      const halves = west <= east ? [[west, east] as const] : [[west, 180] as const, [-180, east] as const];
      return halves
        .flatMap(([from, to]) => towns.townIndex.range(from, south, to, north))
        .map((id) => towns.at(towns.zipCount + id))
        .sort((one, other) => other.population - one.population)
        .slice(0, max);
    },

    knownIn: (box, max) => known.filter(({ position }) => isIn(position, box)).slice(0, max),

    ofType: (type) => known.filter((place) => place.type === type),

    findKnown(wanted) {
      const matches = ({ name, streetAddress }: TypedPlace) =>
        same(wanted.name, name) || (hasNumber(streetAddress) && same(wanted.streetAddress, streetAddress));
      return known.find((place) => matches(place) && isInTown(place.position, wanted))?.position;
    },

    isNear(position, address) {
      const known = isInTown(position, address);
      if (known !== undefined || !isKnownState(address.state)) return known ?? true;
      const town = townAt(position);
      return !town || isInState(town.region, address.state);
    },

    townsMatching({ city, state, zip }) {
      const named = search.townsNamed(city).sort((one, other) => other.population - one.population);
      const nearby = state ? named.filter(({ region }) => isInState(region, state)) : [];
      if (nearby.length > 0) return nearby.map(foundTown);
      const area = state || !city ? areaOf({ city, state, zip }) : undefined;
      if (area) return [foundTown(area)];
      return named.map(foundTown);
    },

    townOfZip(zip) {
      const area = towns.ofZip(zip);
      return area && { city: area.city, state: area.region.state };
    },
  };
}
