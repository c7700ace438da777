import { badValue, notSupported } from './errors.ts';
import { type Doc, isDoc, numberOf, ownValue } from './values.ts';

export type Point = [lng: number, lat: number];
/** West, south, east and north in degrees; longitudes may exceed 180. */
export type Box = [number, number, number, number];
/** `box` contains the whole shape; `contains` is exact. */
export type Shape = { contains: (value: unknown) => boolean; box: Box };
export type Near = { center: Point; max: number };

const EARTH_RADIUS = 6378100;
const RADIAN = Math.PI / 180;
const TOLERANCE = 1e-6;

/** The distance of two points in meters, on MongoDB's sphere. */
export function distance(a: Point, b: Point): number {
  const lat = Math.sin(((b[1] - a[1]) * RADIAN) / 2) ** 2;
  const lng = Math.sin(((b[0] - a[0]) * RADIAN) / 2) ** 2;
  const h = lat + Math.cos(a[1] * RADIAN) * Math.cos(b[1] * RADIAN) * lng;
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(h)));
}

function pair(value: unknown): Point | undefined {
  const [lng, lat] = Array.isArray(value) ? value.map(numberOf) : [];
  if (lng === undefined || lat === undefined) return undefined;
  return Math.abs(lng) <= 180 && Math.abs(lat) <= 90 ? [lng, lat] : undefined;
}

/** The GeoJSON point in a field. */
export function pointOf(value: unknown): Point | undefined {
  return isDoc(value) && ownValue(value, 'type') === 'Point'
    ? pair(ownValue(value, 'coordinates'))
    : undefined;
}

/** The bounding box of everything within this distance in meters; all longitudes if it contains a pole. */
export function boxAround([lng, lat]: Point, meters: number): Box {
  const radiusInDegrees = meters / EARTH_RADIUS / RADIAN + TOLERANCE;
  const [south, north] = [Math.max(lat - radiusInDegrees, -90), Math.min(lat + radiusInDegrees, 90)];
  if (south === -90 || north === 90) return [-180, south, 180, north];
  const lngRadius =
    Math.asin(Math.min(1, Math.sin(radiusInDegrees * RADIAN) / Math.cos(lat * RADIAN))) / RADIAN + TOLERANCE;
  return [lng - lngRadius, south, lng + lngRadius, north];
}

/** Parses the circle of a `$geoWithin`, whose radius is an angle. */
export function parseShape(spec: unknown): Shape {
  const [name, ...others] = isDoc(spec) ? Object.keys(spec) : [];
  if (!isDoc(spec) || name !== '$centerSphere' || others.length > 0) throw notSupported('such a $geoWithin');
  const [point, angle] = Array.isArray(spec[name]) ? spec[name] : [];
  const [center, radius] = [pair(point), numberOf(angle) ?? -1];
  if (!center || !(radius >= 0)) throw badValue('$centerSphere takes a point and a radius of at least 0');
  const meters = radius * EARTH_RADIUS;
  const contains = (value: unknown) => {
    const point = pointOf(value);
    if (!point && (isDoc(value) || Array.isArray(value)))
      throw notSupported('$geoWithin of other than points');
    return point !== undefined && distance(center, point) <= meters;
  };
  return { contains, box: boxAround(center, meters) };
}

/** Parses the center and the maximum distance of `$near` and `$nearSphere`, in meters. */
export function parseNear(spec: Doc): Near {
  const center = pointOf(ownValue(spec, '$geometry'));
  const unknown = Object.keys(spec).find((key) => key !== '$geometry' && key !== '$maxDistance');
  if (!center || unknown) throw notSupported('a search near something else than a GeoJSON point');
  const max = numberOf(ownValue(spec, '$maxDistance') ?? Number.POSITIVE_INFINITY) ?? -1;
  if (max >= 0) return { center, max };
  throw badValue('$maxDistance must be a non-negative number');
}
