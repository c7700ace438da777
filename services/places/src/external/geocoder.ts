import type { Address, Place, Position } from '@wayquest/contracts';
import type { TypedPlace } from '../gazetteer/known-places.ts';

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
