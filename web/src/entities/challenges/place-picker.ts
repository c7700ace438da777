import type { Address, Position } from '@wayquest/contracts';

/**
 * A map on which the place of a new challenge is chosen. Injected by the app, since the form's feature does not depend
 * on the map.
 */
export interface PlacePickerProps {
  /** The chosen position, if any. */
  position: Position | null;
  /** The map's center while none is chosen; null for where maps start. */
  center: Position | null;
  onChoose(position: Position | null): void;
  /** Called with the address of a chosen position, if it is known. */
  onAddress(address: Address): void;
}
