import type { BoundingBox, Position } from '@wayquest/contracts';

const normalizeDegrees = (degrees: number) => ((degrees % 360) + 360) % 360;
const wrapLongitude = (lng: number) => normalizeDegrees(lng + 180) - 180;

/** Width in degrees. */
export const widthOf = ({ west, east }: BoundingBox) => (east < west ? east - west + 360 : east - west);

/** Extends a box by a share of its width and height on every side. */
export function grow(box: BoundingBox, fraction: number): BoundingBox {
  const width = widthOf(box);
  const [across, down] = [width * fraction, (box.north - box.south) * fraction];
  const whole = width + 2 * across >= 360;
  return {
    west: whole ? -180 : wrapLongitude(box.west - across),
    east: whole ? 180 : wrapLongitude(box.east + across),
    south: Math.max(box.south - down, -90),
    north: Math.min(box.north + down, 90),
  };
}

/** Whether a box contains another one. */
export const containsBox = (outer: BoundingBox, inner: BoundingBox) =>
  (widthOf(outer) >= 360 || normalizeDegrees(inner.west - outer.west) + widthOf(inner) <= widthOf(outer)) &&
  inner.south >= outer.south &&
  inner.north <= outer.north;

export const centerOf = (box: BoundingBox): Position => ({
  lat: (box.south + box.north) / 2,
  lng: wrapLongitude(box.west + widthOf(box) / 2),
});

/** A box that contains only a point. */
export const boxAt = ({ lat, lng }: Position): BoundingBox => ({
  west: lng,
  east: lng,
  south: lat,
  north: lat,
});
