import type { Address } from '@wayquest/contracts';
import { splitAddress } from '../split-address.ts';

/** A part of an address, as Google's geocoder and its places both know it. */
export interface AddressPart {
  types: string[];
  long: string;
  short: string;
}

/** What is a city depends on the country, and in New York on the borough. */
const cityTypes = ['locality', 'postal_town', 'sublocality', 'administrative_area_level_3'];

/** The parts of an address, in the contract's words; from the line itself where Google names no city. */
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
