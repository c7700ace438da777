/** A position on the map of the whole world, from 0 to 1 eastward and southward. */
export interface MapPoint {
  x: number;
  y: number;
}

/** The edge of the map: the poles would be infinitely far away. */
const maxLatitude = 85.0511;

/** Web Mercator projection. */
export function project(lng: number, lat: number): MapPoint {
  const shown = Math.max(-maxLatitude, Math.min(maxLatitude, lat));
  const sine = Math.sin((shown * Math.PI) / 180);
  return { x: lng / 360 + 0.5, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

/** The latitude of a position, in degrees. */
export const latitudeAt = (y: number): number =>
  (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

/** Size of a tile, in pixels. */
export const tileSize = 256;
