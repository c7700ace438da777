import type { Address, Position } from '@wayquest/contracts';

/** A map on which the place of a new challenge is chosen. The app gives it to the form, whose feature has no map. */
export interface PlacePickerProps {
  /** The chosen position, if any. */
  position: Position | null;
  /** What the map shows while none is chosen. */
  center: Position;
  onChoose(position: Position | null): void;
  /** Called with the address of a chosen position, if it is known. */
  onAddress(address: Address): void;
}
