import type { Address, Place, Position } from '@wayquest/contracts';

/** Finds addresses for positions and positions for addresses, out there. All throw `places-unavailable`. */
export interface Geocoder {
  /** What a text that is still being typed may mean; missing where that may not be asked. */
  suggest?(text: string, near: Position): Promise<Place[]>;
  /** Null where nothing is known. */
  reverse(at: Position): Promise<Address | null>;
  /** Where a street address is; null unless its street was found. Nobody waits for it; it is done for an account. */
  locate(address: Address, account: number): Promise<Position | null>;
}

/** Writes an address as the post office of its country does, which knows towns by their postal codes. */
export type WriteAddress = (address: Address, country: string) => Address;
