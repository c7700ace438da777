import { badValue, notSupported } from './errors.ts';
import { type Doc, isDoc, numberOf, own } from './values.ts';

export type Point = [lng: number, lat: number];
/** West, south, east and north in degrees. */
export type Box = [number, number, number, number];
/** `box` holds all of the shape; where it does not say enough, `contains` does. */
export type Shape = { contains(point: Point): boolean; box: Box };
export type Near = { centre: Point; min: number; max: number };

const EARTH_RADIUS = 6378100;
const RADIAN = Math.PI / 180;
const SLACK = 1e-6;

/** Metres between two points on the sphere that MongoDB reckons with. */
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
  return isDoc(value) && own(value, 'type') === 'Point' ? pair(own(value, 'coordinates')) : undefined;
}

function needPair(value: unknown): Point {
  const point = pair(value);
  if (!point) throw badValue('a point has to be an array of longitude and latitude');
  return point;
}

function needNumber(value: unknown, name: string, otherwise?: number): number {
  const number = value === undefined ? otherwise : numberOf(value);
  if (number === undefined || !(number >= 0)) throw badValue(`${name} must be a non-negative number`);
  return number;
}

/** The box that holds everything within so many metres; all longitudes where it meets a pole or the date line. */
export function boxAround([lng, lat]: Point, metres: number): Box {
  const reach = metres / EARTH_RADIUS / RADIAN + SLACK;
  const [south, north] = [lat - reach, lat + reach];
  if (south <= -90 || north >= 90) return [-180, Math.max(south, -90), 180, Math.min(north, 90)];
  const wide = Math.asin(Math.min(1, Math.sin(reach * RADIAN) / Math.cos(lat * RADIAN))) / RADIAN + SLACK;
  return lng - wide < -180 || lng + wide > 180
    ? [-180, south, 180, north]
    : [lng - wide, south, lng + wide, north];
}

/** The shape of a `$geoWithin`. */
export function parseShape(spec: unknown): Shape {
  const [name = '', ...more] = isDoc(spec) ? Object.keys(spec) : [];
  const operand = isDoc(spec) ? spec[name] : undefined;
  if (more.length > 0 || !['$box', '$centerSphere'].includes(name))
    throw notSupported(`$geoWithin with ${name}`);
  if (!Array.isArray(operand) || operand.length !== 2) throw badValue(`${name} takes an array of two`);
  const first = needPair(operand[0]);
  if (name === '$box') {
    const second = needPair(operand[1]);
    const [west, south] = [Math.min(first[0], second[0]), Math.min(first[1], second[1])];
    const [east, north] = [Math.max(first[0], second[0]), Math.max(first[1], second[1])];
    const contains = ([lng, lat]: Point) => lng >= west && lng <= east && lat >= south && lat <= north;
    return { contains, box: [west, south, east, north] };
  }
  const metres = needNumber(operand[1], 'the radius') * EARTH_RADIUS;
  return { contains: (point) => distance(first, point) <= metres, box: boxAround(first, metres) };
}

/** The centre and the reach of `$near`, `$nearSphere` and `$geoNear`, in metres. */
export function parseNear(geometry: unknown, limits: Doc, prefix = '$'): Near {
  const centre = pointOf(geometry);
  if (!centre) throw notSupported('a search near something else than a GeoJSON point');
  return {
    centre,
    min: needNumber(own(limits, `${prefix}minDistance`), 'minDistance', 0),
    max: needNumber(own(limits, `${prefix}maxDistance`), 'maxDistance', Number.POSITIVE_INFINITY),
  };
}
