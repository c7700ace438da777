import type { Position } from './geography.ts';

const earthRadius = 6_371_000;
const radian = Math.PI / 180;

/** Great-circle distance of two positions in meters. */
export function distanceInMeters(a: Position, b: Position): number {
  const [north, east] = [(b.lat - a.lat) * radian, (b.lng - a.lng) * radian];
  const haversine =
    Math.sin(north / 2) ** 2 + Math.cos(a.lat * radian) * Math.cos(b.lat * radian) * Math.sin(east / 2) ** 2;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(haversine)));
}
