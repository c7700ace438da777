import type { BoundingBox } from '@wayquest/contracts';
import type { Map as LeafletMap } from 'leaflet';

/** Longitudes repeat beyond the antimeridian; they have one longitude. */
export const wrapLongitude = (lng: number) => ((((lng + 180) % 360) + 360) % 360) - 180;

/** The repetition of a longitude nearest to another one, which may itself lie beyond a date line. */
export const nearestTo = (middle: number, lng: number) => lng + 360 * Math.round((middle - lng) / 360);

/** The visible bounds. */
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
