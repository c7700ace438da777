import type { Address } from '@wayquest/contracts';
import { splitAddress } from '../split-address.ts';

/** A part of an address in Google's geocoder and places. */
export interface AddressPart {
  types: string[];
  long: string;
  short: string;
}

/** The type of a city depends on the country, and in New York on the borough. */
const cityTypes = ['locality', 'postal_town', 'sublocality', 'administrative_area_level_3'];

/** Returns an address in the contract's shape; from the formatted line if Google names no city. */
export function addressOf(parts: AddressPart[], line: string): Address {
  const find = (type: string) => parts.find(({ types }) => types.includes(type));
  const long = (type: string) => find(type)?.long ?? '';
  const city = cityTypes.map(long).find(Boolean);
  if (!city) return splitAddress(line);
  return {
    streetAddress: [long('street_number'), long('route')].filter(Boolean).join(' '),
    city,
    state: find('administrative_area_level_1')?.short ?? '',
    zip: long('postal_code'),
  };
}
