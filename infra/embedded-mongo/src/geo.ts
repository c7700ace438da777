import { badValue, notSupported } from './errors.ts';
import { type Doc, isDoc, numberOf, own } from './values.ts';

export type Point = [lng: number, lat: number];
/** Where points lie that can match: boxes of [west, south, east, north] in degrees. */
export type Box = [number, number, number, number];
export type Shape = { contains(point: Point): boolean; box: Box };
export type Near = { centre: Point; min: number; max: number };

const EARTH_RADIUS = 6378100;
const RADIAN = Math.PI / 180;

/** Metres between two points on the sphere that MongoDB reckons with. */
export function distance(a: Point, b: Point): number {
  const lat = Math.sin(((b[1] - a[1]) * RADIAN) / 2) ** 2;
  const lng = Math.sin(((b[0] - a[0]) * RADIAN) / 2) ** 2;
  const h = lat + Math.cos(a[1] * RADIAN) * Math.cos(b[1] * RADIAN) * lng;
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(h)));
}

function pair(value: unknown): Point | undefined {
  const coordinates = Array.isArray(value) ? value : isDoc(value) ? Object.values(value) : [];
  const lng = numberOf(coordinates[0]);
  const lat = numberOf(coordinates[1]);
  return lng === undefined || lat === undefined || coordinates.length < 2 ? undefined : [lng, lat];
}

const onEarth = ([lng, lat]: Point) => Math.abs(lng) <= 180 && Math.abs(lat) <= 90;

/** The point in a field: GeoJSON or a legacy pair. Undefined for anything else. */
export function pointOf(value: unknown): Point | undefined {
  if (isDoc(value) && own(value, 'type') !== undefined) {
    const point = value.type === 'Point' ? pair(value.coordinates) : undefined;
    return point && onEarth(point) ? point : undefined;
  }
  return pair(value);
}

function needPoint(value: unknown): Point {
  const point = pair(value);
  if (!point) throw badValue('Point must be an array or object of two numbers');
  return point;
}

function needNumber(value: unknown, name: string, fallback?: number): number {
  const number = value === undefined ? fallback : numberOf(value);
  if (number === undefined || !(number >= 0)) throw badValue(`${name} must be a non-negative number`);
  return number;
}

/** The box that holds everything within so many metres, the whole world round where it meets a pole. */
export function boxAround([lng, lat]: Point, metres: number): Box {
  const reach = metres / EARTH_RADIUS / RADIAN + 1e-6;
  const [south, north] = [lat - reach, lat + reach];
  if (south <= -90 || north >= 90) return [-180, Math.max(south, -90), 180, Math.min(north, 90)];
  const wide = Math.asin(Math.min(1, Math.sin(reach * RADIAN) / Math.cos(lat * RADIAN))) / RADIAN + 1e-6;
  const [west, east] = [lng - wide, lng + wide];
  return west < -180 || east > 180 ? [-180, south, 180, north] : [west, south, east, north];
}

const inBox = ([lng, lat]: Point, [west, south, east, north]: Box) =>
  lng >= west && lng <= east && lat >= south && lat <= north;

function circle(operand: unknown, spherical: boolean): Shape {
  if (!Array.isArray(operand) || operand.length !== 2) throw badValue('a circle is [centre, radius]');
  const centre = needPoint(operand[0]);
  const radius = needNumber(operand[1], 'radius');
  if (spherical) {
    const metres = radius * EARTH_RADIUS;
    return { contains: (point) => distance(centre, point) <= metres, box: boxAround(centre, metres) };
  }
  const [x, y] = centre;
  return {
    contains: (point) => Math.hypot(point[0] - x, point[1] - y) <= radius,
    box: [x - radius, y - radius, x + radius, y + radius],
  };
}

/** Even-odd rule on the plane, with the boundary inside. */
function inRing([x, y]: Point, ring: Point[]): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [x1, y1] = ring[i] ?? [0, 0];
    const [x2, y2] = ring[j] ?? [0, 0];
    const cross = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
    const within =
      Math.min(x1, x2) <= x && x <= Math.max(x1, x2) && Math.min(y1, y2) <= y && y <= Math.max(y1, y2);
    if (cross === 0 && within) return true;
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
}

function plane(ring: Point[]): Shape {
  const lngs = ring.map((point) => point[0]);
  const lats = ring.map((point) => point[1]);
  const box: Box = [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)];
  return { contains: (point) => inBox(point, box) && inRing(point, ring), box };
}

/** The shape of a `$geoWithin`. */
export function parseShape(spec: unknown): Shape {
  if (!isDoc(spec)) throw badValue('$geoWithin needs an object');
  const [name, ...more] = Object.keys(spec);
  const operand = name === undefined ? undefined : spec[name];
  if (name === undefined || more.length > 0) throw badValue('$geoWithin takes one shape');
  if (name === '$centerSphere') return circle(operand, true);
  if (name === '$center') return circle(operand, false);
  if (name === '$box') {
    if (!Array.isArray(operand) || operand.length !== 2) throw badValue('$box is [corner, corner]');
    const [a, b] = [needPoint(operand[0]), needPoint(operand[1])];
    const box: Box = [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[0], b[0]), Math.max(a[1], b[1])];
    return { contains: (point) => inBox(point, box), box };
  }
  if (name === '$polygon') {
    if (!Array.isArray(operand) || operand.length < 3) throw badValue('Polygon must have at least 3 points');
    return plane(operand.map(needPoint));
  }
  // A GeoJSON polygon has great circles for edges; a planar answer would be wrong near them.
  if (name === '$geometry') throw notSupported('$geoWithin with $geometry');
  throw badValue(`unknown geo specifier: ${name}`);
}

/** The operand of `$near` and `$nearSphere`, whose distances may stand beside it. */
export function parseNear(operand: unknown, beside: Doc, sphere: boolean): Near {
  const spec = isDoc(operand) && own(operand, '$geometry') !== undefined ? operand : undefined;
  const centre = spec ? pointOf(spec.$geometry) : needPoint(operand);
  if (!centre) throw badValue('invalid point in geo near query $geometry argument');
  // Of a GeoJSON centre distances are in metres, of a legacy pair on the sphere in radians.
  if (!spec && !sphere) throw notSupported('$near on a plane');
  if (!onEarth(centre)) throw badValue('Longitude/latitude is out of bounds');
  const limits = spec ?? beside;
  const unit = spec ? 1 : EARTH_RADIUS;
  return {
    centre,
    min: needNumber(own(limits, '$minDistance'), '$minDistance', 0) * unit,
    max: needNumber(own(limits, '$maxDistance'), '$maxDistance', Number.POSITIVE_INFINITY) * unit,
  };
}
