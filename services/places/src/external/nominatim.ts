import type { Address } from '@wayquest/contracts';
import { z } from 'zod';
import { addressLine } from '../gazetteer/regions.ts';
import type { ExternalServer } from './external-server.ts';
import type { Geocoder, NormalizeAddress } from './geocoder.ts';
import { Latitude, Longitude } from './osm.ts';

const text = z.string().default('');

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
  const addressOf = (parts: z.infer<typeof AddressParts>, write: NormalizeAddress): Address =>
    write(
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
