import type { Position } from '@wayquest/contracts';
import { useEffect, useState } from 'react';
import { type FoundAddress, LookupError, type PlaceFinder } from './map/map.ts';
import { splitAddress } from './split-address.ts';

export type AddressLookup =
  | { state: 'loading' }
  | { state: 'found'; address: FoundAddress }
  | { state: 'failed'; status: string };

/** A geocoder may return an address as a line only. */
const inParts = (address: FoundAddress): FoundAddress =>
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
      (address) => isCurrent && setLookup({ state: 'found', address: inParts(address) }),
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
