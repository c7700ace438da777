import type { Address, Position } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { type FoundAddress, LookupError, type PlaceFinder } from './map/map.ts';

/**
 * Splits an address of the form 'street, city, state zip' (spec, section 5) from the right, without a country after it.
 * Another form remains a line.
 */
export function splitAddress(line: string): Address {
  const parts = line.split(',').map((part) => part.trim());
  const endsInState = (part = '') => /^[A-Z]{2}( \d{5}(-\d{4})?)?$/.test(part);
  if (parts.length > 1 && !endsInState(parts.at(-1)) && endsInState(parts.at(-2))) parts.pop();
  if (!endsInState(parts.at(-1))) return { streetAddress: '', city: '', state: '', zip: '' };
  const [state = '', zip = ''] = parts.pop()?.split(' ') ?? [];
  const city = parts.pop() ?? '';
  return { streetAddress: parts.join(', '), city, state, zip };
}

type AddressLookup =
  | { state: 'loading' }
  | { state: 'found'; address: FoundAddress }
  | { state: 'failed'; status: string };

/** A geocoder may return an address as a line only. */
const splitIntoParts = (address: FoundAddress): FoundAddress =>
  address.city ? address : { ...address, ...splitAddress(address.label) };

/** The address of a position on the map, loaded unless it is known already. */
export function useFoundAddress(
  finder: PlaceFinder,
  position: Position,
  known?: FoundAddress,
): AddressLookup {
  const [lookup, setLookup] = useState<AddressLookup>({ state: 'loading' });
  const { lat, lng } = position;
  const isUnknown = known === undefined;
  useEffect(() => {
    if (!isUnknown) return;
    let isCurrent = true;
    setLookup({ state: 'loading' });
    finder.reverse({ lat, lng }).then(
      (address) => isCurrent && setLookup({ state: 'found', address: splitIntoParts(address) }),
      (error) => {
        const status = error instanceof LookupError ? error.status : 'UNKNOWN_ERROR';
        console.warn('The address of a spot could not be found', error);
        if (isCurrent) setLookup({ state: 'failed', status });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [isUnknown, finder, lat, lng]);
  return known ? { state: 'found', address: known } : lookup;
}
