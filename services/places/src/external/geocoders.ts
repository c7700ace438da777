import { type Address, type Place, type PlaceType, type Position, placeTypes } from '@wayquest/contracts';
import { z } from 'zod';
import { nearestOfTypes, type TypedPlace } from '../gazetteer/known-places.ts';
import { addressLine } from '../gazetteer/names.ts';
import type { ExternalServer } from './external-server.ts';
import { Latitude, Longitude, osmTags, typeOfTag, vicinityOf } from './overpass.ts';

/** An external geocoder. All methods throw `places-unavailable`. */
export interface Geocoder {
  /** Suggestions while somebody types; undefined if the server does not allow that. */
  suggest?(text: string, near: Position): Promise<Place[]>;
  /** Returns null if nothing is known. */
  reverse(at: Position): Promise<Address | null>;
  /**
   * Returns the position of a street address; null unless its street was found. Background work, on behalf of an
   * account.
   */
  locate(address: Address, account: number): Promise<Position | null>;
  /**
   * Returns the nearest named place of each type; undefined if the server cannot search by type.
   *
   * @param radius - in meters
   */
  nearestOfTypes?(at: Position, radius: number): Promise<TypedPlace[]>;
}

/** Normalizes an address to the postal conventions of its country (in the US the town follows from the ZIP code). */
export type NormalizeAddress = (address: Address, country: string) => Address;

const text = z.string().default('');

const Feature = z.object({
  geometry: z.object({ coordinates: z.tuple([Longitude, Latitude]) }),
  properties: z.object({
    osm_type: text,
    osm_id: z.int().default(0),
    osm_key: text,
    osm_value: text,
    type: text,
    name: text,
    housenumber: text,
    street: text,
    district: text,
    city: text,
    state: text,
    postcode: text,
    countrycode: text,
  }),
});
type Feature = z.infer<typeof Feature>;

const Response = z.object({ features: z.array(Feature).max(100) });

const maxResults = 8;

/** As many as a public server returns. */
const maxAround = 50;

/** Photon (https://photon.komoot.io), which is made for suggestions while somebody types. */
export function createPhoton(server: ExternalServer, addresses: () => Promise<NormalizeAddress>): Geocoder {
  const streetOf = ({ properties: { type, name, housenumber, street } }: Feature) =>
    `${housenumber} ${type === 'street' ? name : street}`.trim();

  const addressOf = (feature: Feature, normalizeAddress: NormalizeAddress): Address => {
    const its = feature.properties;
    const city = its.type === 'city' ? its.name : its.city || its.district;
    return normalizeAddress(
      { streetAddress: streetOf(feature), city, state: its.state, zip: its.postcode },
      its.countrycode,
    );
  };

  const placeOf = (feature: Feature, normalizeAddress: NormalizeAddress): Place => {
    const { osm_type, osm_id, osm_key, osm_value, name } = feature.properties;
    const [lng, lat] = feature.geometry.coordinates;
    const address = addressOf(feature, normalizeAddress);
    return {
      ...address,
      id: `osm-${osm_type}${osm_id}`,
      name: name || address.streetAddress || addressLine(address),
      type: typeOfTag(osm_key, osm_value),
      vicinity: vicinityOf(name ? address : { ...address, streetAddress: '' }),
      position: { lat, lng },
    };
  };

  /** The named places of some types, the nearest first. */
  const placesAround = async (
    { lat, lng }: Position,
    radius: number,
    types: readonly PlaceType[],
    limit: number,
  ): Promise<TypedPlace[]> => {
    const tags = types.map((type) => osmTags[type].join(':'));
    const query = { lat, lon: lng, radius: radius / 1_000, limit, lang: 'en', osm_tag: tags };
    const { features } = await server.request({ path: '/reverse', query, response: Response });
    const normalizeAddress = await addresses();
    return features.flatMap((feature) => {
      const place = placeOf(feature, normalizeAddress);
      return place.type && feature.properties.name ? [{ ...place, type: place.type }] : [];
    });
  };

  return {
    async suggest(q, near) {
      const query = { q, lat: near.lat, lon: near.lng, limit: maxResults, lang: 'en' };
      const { features } = await server.request({ path: '/api', query, response: Response });
      const normalizeAddress = await addresses();
      return features.map((feature) => placeOf(feature, normalizeAddress));
    },

    async reverse({ lat, lng }) {
      const query = { lat, lon: lng, limit: 1, lang: 'en' };
      const { features } = await server.request({ path: '/reverse', query, response: Response });
      return features[0] ? addressOf(features[0], await addresses()) : null;
    },

    async locate(address, account) {
      const query = { q: addressLine(address), limit: 1, lang: 'en' };
      const { features } = await server.request({
        path: '/api',
        query,
        response: Response,
        backgroundAccountId: account,
      });
      const [feature] = features;
      if (!feature || !streetOf(feature)) return null;
      const [lng, lat] = feature.geometry.coordinates;
      return { lat, lng };
    },

    async nearestOfTypes(at, radius) {
      // Around a town's center there can be more restaurants than a response holds, before the nearest of another type.
      const others = placeTypes.filter((type) => type !== 'restaurant');
      const found = await Promise.all([
        placesAround(at, radius, others, maxAround),
        placesAround(at, radius, ['restaurant'], maxResults),
      ]);
      return nearestOfTypes(found.flat(), at, radius);
    },
  };
}

const AddressParts = z.object({
  house_number: text,
  road: text,
  hamlet: text,
  village: text,
  town: text,
  city: text,
  state: text,
  postcode: text,
  country_code: text,
});

const SearchResult = z.object({
  lat: z.coerce.number().pipe(Latitude),
  lon: z.coerce.number().pipe(Longitude),
  address: AddressParts,
});

/** If nothing is known, the response is an error with status 200. */
const ReverseResult = z.union([z.object({ address: AddressParts }), z.object({ error: z.string() })]);

const common = { format: 'jsonv2', addressdetails: 1, 'accept-language': 'en' };

/** Nominatim (https://nominatim.org). Its usage policy forbids suggestions while somebody types, so it has none. */
export function createNominatim(
  server: ExternalServer,
  addresses: () => Promise<NormalizeAddress>,
): Geocoder {
  const addressOf = (parts: z.infer<typeof AddressParts>, normalizeAddress: NormalizeAddress): Address =>
    normalizeAddress(
      {
        streetAddress: `${parts.house_number} ${parts.road}`.trim(),
        city: parts.city || parts.town || parts.village || parts.hamlet,
        state: parts.state,
        zip: parts.postcode,
      },
      parts.country_code,
    );

  return {
    async reverse({ lat, lng }) {
      const query = { ...common, lat, lon: lng };
      const response = await server.request({ path: '/reverse', query, response: ReverseResult });
      return 'address' in response ? addressOf(response.address, await addresses()) : null;
    },

    async locate(address, account) {
      const query = { ...common, q: addressLine(address), limit: 1 };
      const [found] = await server.request({
        path: '/search',
        query,
        response: z.array(SearchResult),
        backgroundAccountId: account,
      });
      return found?.address.road ? { lat: found.lat, lng: found.lon } : null;
    },
  };
}
