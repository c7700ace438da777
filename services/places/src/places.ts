import {
  type Address,
  type ChallengeDetails,
  type FoundPlace,
  type OperationRequest,
  type OperationResponse,
  type Operations,
  type Place,
  type Position,
  placeTypes,
} from '@wayquest/contracts';
import { isProblem, Problem } from '@wayquest/platform/core';
import type { ExternalSources } from './external/external.ts';
import type { FoundTown, Gazetteer } from './gazetteer/gazetteer.ts';
import { byDistance, nearestOfTypes, type TypedPlace } from './gazetteer/known-places.ts';
import { addressLine, hasAllWords, normalize } from './gazetteer/names.ts';

type Query<N extends 'searchPlaces' | 'reversePlace' | 'nearbyPlaces' | 'listTowns' | 'listKnownPlaces'> =
  OperationRequest<Operations[N]>['query'];

/** Where the map starts (spec, section 9). */
const defaultPosition: Position = { lat: 40.76, lng: -73.82 };

/** In meters (spec, section 9). */
const defaultRadius = 50_000;

const maxResults = 8;
const maxNearby = 60;
const maxTowns = 80;
const maxKnown = 120;

const matchesAll = (place: Place, text: string) => {
  const { name, streetAddress, vicinity, city, state, zip } = place;
  const placeText = normalize([name, streetAddress, vicinity, city, state, zip].join(' '));
  return hasAllWords(placeText, normalize(text).split(' '));
};

/** The operations on places. */
export interface Places {
  /** Most likely first; from the gazetteer while the external server is unavailable. */
  search(query: Query<'searchPlaces'>): Promise<{ found: FoundPlace[]; isFallback: boolean }>;
  /** Throws `address-not-found` and `places-unavailable`. */
  reverse(query: Query<'reversePlace'>): Promise<OperationResponse<Operations['reversePlace']>>;
  /** Nearest first. Throws `places-unavailable`. */
  nearby(query: Query<'nearbyPlaces'>): Promise<Place[]>;
  /**
   * The nearest named place of each type; from the gazetteer alone while the external server is unavailable.
   *
   * @param radius - in meters
   * @returns At most one of a type. `nearestBuiltIn`: those of the gazetteer alone. `isComplete`: whether the external server was
   * not unavailable.
   */
  nearestOfTypes(
    at: Position,
    radius: number,
  ): Promise<{ places: TypedPlace[]; nearestBuiltIn: TypedPlace[]; isComplete: boolean }>;
  /** Largest first. */
  townsIn(query: Query<'listTowns'>): Promise<OperationResponse<Operations['listTowns']>>;
  knownIn(query: Query<'listKnownPlaces'>): Promise<Place[]>;
  /** The towns that an address may mean, largest first. */
  townsOf(address: Omit<Address, 'streetAddress'>): Promise<FoundTown[]>;
  /**
   * Locates a challenge: at a known place, or at its street address if a geocoder finds it in its town. A town or a postal
   * code alone is not enough. Throws `places-unavailable`.
   */
  locate(challenge: ChallengeDetails): Promise<Position | undefined>;
}

/** Creates the search for places: in the gazetteer, and on external servers, if configured. */
export function createPlaces(gazetteer: () => Promise<Gazetteer>, external: ExternalSources): Places {
  return {
    async search({
      text,
      near = defaultPosition,
    }: Query<'searchPlaces'>): Promise<{ found: FoundPlace[]; isFallback: boolean }> {
      try {
        if (external.suggest) {
          const found = (await external.suggest(text, near)).map((place) => ({
            ...place,
            matchesAll: matchesAll(place, text),
          }));
          return { found, isFallback: false };
        }
      } catch (error) {
        if (!isProblem(error, 'places-unavailable')) throw error;
      }
      const found = (await gazetteer()).search(text, near, maxResults);
      return { found, isFallback: external.suggest !== undefined };
    },

    async reverse({ at }: Query<'reversePlace'>): Promise<OperationResponse<Operations['reversePlace']>> {
      const address = external.reverse ? await external.reverse(at) : (await gazetteer()).reverse(at);
      if (!address) throw new Problem('address-not-found');
      return { ...address, label: addressLine(address) };
    },

    async nearby({ at, type, radius = defaultRadius }: Query<'nearbyPlaces'>): Promise<Place[]> {
      const known = (await gazetteer()).ofType(type);
      const found = external.nearby ? await external.nearby(type, at) : [];
      // The external server only searches a cell, and may return a place that the gazetteer has too.
      const names = new Set(found.map(({ name }) => name.toLowerCase()));
      const places = [...found, ...known.filter(({ name }) => !names.has(name.toLowerCase()))];
      return byDistance(places, at, radius / 1_000).slice(0, maxNearby);
    },

    async nearestOfTypes(
      at: Position,
      radius: number,
    ): Promise<{ places: TypedPlace[]; nearestBuiltIn: TypedPlace[]; isComplete: boolean }> {
      const { ofType } = await gazetteer();
      const known = placeTypes.flatMap((type) => ofType(type));
      const names = new Set(known.map(({ name }) => name.toLowerCase()));
      const nearestBuiltIn = nearestOfTypes(known, at, radius);
      try {
        const found = external.nearestOfTypes ? await external.nearestOfTypes(at, radius) : [];
        // A place that both have keeps the id that it has without the external server.
        const others = found.filter(({ name }) => !names.has(name.toLowerCase()));
        return {
          places: nearestOfTypes([...others, ...known], at, radius),
          nearestBuiltIn,
          isComplete: true,
        };
      } catch (error) {
        if (!isProblem(error, 'places-unavailable')) throw error;
        return { places: nearestBuiltIn, nearestBuiltIn, isComplete: false };
      }
    },

    async townsIn({ bbox }: Query<'listTowns'>): Promise<OperationResponse<Operations['listTowns']>> {
      return (await gazetteer())
        .townsIn(bbox, maxTowns)
        .map(({ name, population, lat, lng }) => ({ name, population, position: { lat, lng } }));
    },

    async knownIn({ bbox }: Query<'listKnownPlaces'>): Promise<Place[]> {
      return (await gazetteer()).knownIn(bbox, maxKnown);
    },

    async townsOf({ city, state, zip }: Omit<Address, 'streetAddress'>): Promise<FoundTown[]> {
      return city || zip ? (await gazetteer()).townsMatching({ city, state, zip }) : [];
    },

    async locate({ locationName, creator, ...challenge }: ChallengeDetails): Promise<Position | undefined> {
      const { streetAddress, city, state, zip } = challenge;
      const address: Address = { streetAddress, city, state, zip };
      if ((!locationName && !streetAddress) || (!city && !zip)) return undefined;
      const known = await gazetteer();
      const knownPosition = known.findKnown({ ...address, name: locationName });
      if (knownPosition || !streetAddress || !external.locate) return knownPosition;
      const found = await external.locate(address, creator.id);
      return found && known.isNear(found, address) ? found : undefined;
    },
  };
}
