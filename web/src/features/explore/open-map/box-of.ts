import type { BoundingBox } from '@wayquest/contracts';
import type { Map as LeafletMap } from 'leaflet';

/** Beyond a date line the same places come again; they have one longitude. */
export const wrapLongitude = (lng: number) => ((((lng + 180) % 360) + 360) % 360) - 180;

/** Where the same place comes nearest to a longitude, which may itself lie beyond a date line. */
export const nearestTo = (middle: number, lng: number) => lng + 360 * Math.round((middle - lng) / 360);

/** What a map shows. */
export function boxOf(map: LeafletMap): BoundingBox {
  const bounds = map.getBounds();
  const wide = bounds.getEast() - bounds.getWest() >= 360;
  return {
    west: wide ? -180 : wrapLongitude(bounds.getWest()),
    east: wide ? 180 : wrapLongitude(bounds.getEast()),
    south: Math.max(bounds.getSouth(), -90),
    north: Math.min(bounds.getNorth(), 90),
  };
}
