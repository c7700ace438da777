import type { Address, BoundingBox, FoundPlace, PlaceType, Position } from '@wayquest/contracts';
import { around } from 'geokdbush';
import type KDBush from 'kdbush';
import { byDistance, kmBetween, readKnownPlaces, type TypedPlace } from './known-places.ts';
import { isInHomeCountry, normalize } from './names.ts';
import { readPackedTowns } from './packed-file.ts';
import { createSearch } from './search.ts';
import { addressOf, openTowns, type Town } from './towns.ts';

/** The built-in data about towns and places. */
export interface Gazetteer {
  /** Best match first; results closer to `near` rank higher. */
  search(text: string, near: Position, max: number): FoundPlace[];
  /** Of a known place there, or else of the town; undefined far from any. */
  reverse(at: Position): Address | undefined;
  /** The town whose center is nearest; undefined far from any. */
  townAt(at: Position): Town | undefined;
  /** The largest towns in a box. */
  townsIn(box: BoundingBox, max: number): Town[];
  /** The known places in a box. */
  knownIn(box: BoundingBox, max: number): TypedPlace[];
  /** All known places of a kind. */
  ofType(type: PlaceType): TypedPlace[];
  /** A known place, by its name or street address, in or near a town or postal code. */
  findKnown(wanted: Address & { name: string }): Position | undefined;
  /** Whether a point may be in this town or postal code, as far as they are known. */
  isNear(position: Position, address: Address): boolean;
  /** The towns that an address may mean, largest first. */
  townsMatching(address: Omit<Address, 'streetAddress'>): Position[];
  /** The town that a postal code belongs to, as addresses write it. */
  townOfZip(zip: string): Pick<Address, 'city' | 'state'> | undefined;
}

/** How near a position has to be to a known place to have its address. */
const maxPlaceDistanceKm = 0.06;
/** Positions farther from any town have no address, such as at sea. */
const maxTownDistanceKm = 30;
/** The center of a town or postal code is no farther from a place in it. */
const maxTownRadiusKm = 20;

const positionOf = ({ lat, lng }: Position): Position => ({ lat, lng });

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

  const isInState = ({ region }: Town, state: string) => ` ${region.words} `.includes(` ${normalize(state)}`);

  /** The possible centers of a town or postal code. */
  const centersOf = ({ city, state, zip }: Address): Position[] => {
    const area = towns.ofZip(zip);
    if (area) return [area];
    return search.townsNamed(city).filter((town) => isInState(town, state));
  };

  const isNear = (position: Position, address: Address) =>
    centersOf(address).some((center) => kmBetween(center, position) <= maxTownRadiusKm);

  return {
    search: search.find,

    reverse(at) {
      const [nearestKnown] = byDistance(known, at, maxPlaceDistanceKm);
      if (nearestKnown) {
        const { streetAddress, city, state, zip } = nearestKnown;
        return { streetAddress, city, state, zip };
      }
      const town = nearest(towns.townIndex, towns.zipCount, at);
      const zip = nearest(towns.zipIndex, 0, at);
      const area = zip && (!town || isInHomeCountry(town.region)) ? zip : town;
      return area && addressOf(area);
    },

    townAt: (at) => nearest(towns.townIndex, towns.zipCount, at),

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
      return known.find((place) => matches(place) && isNear(place.position, wanted))?.position;
    },

    isNear,

    townsMatching({ city, state, zip }) {
      const named = search.townsNamed(city).sort((one, other) => other.population - one.population);
      const inState = state ? named.filter((town) => isInState(town, state)) : [];
      if (inState.length > 0) return inState.map(positionOf);
      // Postal codes of other countries may look like one of the United States.
      const area = towns.ofZip(zip);
      if (area && (state ? isInState(area, state) : !city)) return [positionOf(area)];
      return named.map(positionOf);
    },

    townOfZip(zip) {
      const area = towns.ofZip(zip);
      return area && { city: area.city, state: area.region.state };
    },
  };
}
