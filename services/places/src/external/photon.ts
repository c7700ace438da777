import { type Address, type Place, type PlaceType, type Position, placeTypes } from '@wayquest/contracts';
import { z } from 'zod';
import { nearestOfTypes, type TypedPlace } from '../gazetteer/known-places.ts';
import { addressLine } from '../gazetteer/regions.ts';
import type { ExternalServer } from './external-server.ts';
import type { Geocoder, NormalizeAddress } from './geocoder.ts';
import { Latitude, Longitude, osmTags, typeOfTag, vicinityOf } from './osm.ts';

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

  const addressOf = (feature: Feature, write: NormalizeAddress): Address => {
    const its = feature.properties;
    const city = its.type === 'city' ? its.name : its.city || its.district;
    return write(
      { streetAddress: streetOf(feature), city, state: its.state, zip: its.postcode },
      its.countrycode,
    );
  };

  const placeOf = (feature: Feature, write: NormalizeAddress): Place => {
    const { osm_type, osm_id, osm_key, osm_value, name } = feature.properties;
    const [lng, lat] = feature.geometry.coordinates;
    const address = addressOf(feature, write);
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
    const write = await addresses();
    return features.flatMap((feature) => {
      const place = placeOf(feature, write);
      return place.type && feature.properties.name ? [{ ...place, type: place.type }] : [];
    });
  };

  return {
    async suggest(q, near) {
      const query = { q, lat: near.lat, lon: near.lng, limit: maxResults, lang: 'en' };
      const { features } = await server.request({ path: '/api', query, response: Response });
      const write = await addresses();
      return features.map((feature) => placeOf(feature, write));
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
