import { badValue, notSupported } from './errors.ts';
import { type Doc, isDoc, numberOf, own } from './values.ts';

export type Point = [lng: number, lat: number];
/** West, south, east and north in degrees; longitudes may go on beyond 180. */
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

/** The box that holds everything within so many metres; all longitudes where it meets a pole. */
export function boxAround([lng, lat]: Point, metres: number): Box {
  const reach = metres / EARTH_RADIUS / RADIAN + SLACK;
  const [south, north] = [Math.max(lat - reach, -90), Math.min(lat + reach, 90)];
  if (south === -90 || north === 90) return [-180, south, 180, north];
  const wide = Math.asin(Math.min(1, Math.sin(reach * RADIAN) / Math.cos(lat * RADIAN))) / RADIAN + SLACK;
  return [lng - wide, south, lng + wide, north];
}

/** The way round the earth from one longitude to another, the shorter one, eastwards positive. */
const turn = (from: number, to: number) => ((((to - from + 180) % 360) + 360) % 360) - 180;
const tan = (degrees: number) => Math.tan(degrees * RADIAN);

/** An edge of a ring, the shortest way between two points of the sphere: `wide` degrees to the east. */
type Edge = { a: Point; b: Point; wide: number };

/** Whether the way from a point to the north pole meets an edge. */
function isBelow([lng, lat]: Point, { a, b, wide }: Edge): boolean {
  const along = turn(a[0], lng);
  if (wide > 0 ? along < 0 || along >= wide : along >= 0 || along < wide) return false;
  const sine = (degrees: number) => Math.sin(degrees * RADIAN);
  return (tan(a[1]) * sine(wide - along) + tan(b[1]) * sine(along)) / sine(wide) > tan(lat);
}

/** What lies between an edge and the equator, as a part of the sphere's radius squared. */
const areaUnder = ({ a, b, wide }: Edge) =>
  2 * Math.atan2(tan(wide / 2) * (tan(a[1] / 2) + tan(b[1] / 2)), 1 + tan(a[1] / 2) * tan(b[1] / 2));

function ringOf(coordinates: unknown): Point[] {
  if (!Array.isArray(coordinates) || coordinates.length !== 1) throw notSupported('a polygon with holes');
  const [ring] = coordinates;
  const points = (Array.isArray(ring) ? ring : []).map(pair).filter((point) => point !== undefined);
  const [first, last] = [points[0], points.at(-1)];
  const closed = first?.[0] === last?.[0] && first?.[1] === last?.[1];
  if (points.length < 4 || points.length !== ring.length || !closed) {
    throw badValue('a polygon needs a closed ring of at least four points of longitude and latitude');
  }
  return points;
}

/** The shape of a `$geoWithin`: a polygon without holes that is no more than half of the earth. */
export function parseShape(spec: unknown): Shape {
  const geometry = isDoc(spec) && Object.keys(spec).length === 1 ? own(spec, '$geometry') : undefined;
  if (!isDoc(geometry) || geometry.type !== 'Polygon' || own(geometry, 'crs') !== undefined) {
    throw notSupported('$geoWithin with anything else than a GeoJSON polygon');
  }
  const ring = ringOf(own(geometry, 'coordinates'));
  const edges = ring.slice(1).map((b, i): Edge => {
    const a = ring[i] ?? b;
    return { a, b, wide: turn(a[0], b[0]) };
  });
  let lng = ring[0]?.[0] ?? 0;
  const box: Box = [lng, 90, lng, -90];
  let area = 0;
  for (const { a, b, wide } of edges) {
    lng += wide;
    area += areaUnder({ a, b, wide });
    // An edge bends towards its pole: the most where both its ends are as far from the equator.
    const bent = (lat: number) => Math.atan(tan(lat) / Math.cos((wide * RADIAN) / 2)) / RADIAN;
    const [low, high] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
    box[0] = Math.min(box[0], lng);
    box[1] = Math.min(box[1], low, bent(low));
    box[2] = Math.max(box[2], lng);
    box[3] = Math.max(box[3], high, bent(high));
  }
  const roundPole = Math.abs(lng - (ring[0]?.[0] ?? 0)) > 1;
  const straight = edges.some(({ wide }) => wide === -180);
  if (roundPole || straight || box[2] - box[0] >= 360 || Math.abs(area) > 2 * Math.PI) {
    throw notSupported('a polygon round a pole or of more than half of the earth');
  }
  const contains = (point: Point) => edges.filter((edge) => isBelow(point, edge)).length % 2 === 1;
  return { contains, box };
}

/** The centre and the reach of `$near` and `$nearSphere`, in metres. */
export function parseNear(spec: Doc): Near {
  const centre = pointOf(own(spec, '$geometry'));
  const unknown = Object.keys(spec).find((key) => !/^\$(geometry|minDistance|maxDistance)$/.test(key));
  if (!centre || unknown) throw notSupported('a search near something else than a GeoJSON point');
  const limit = (name: string, otherwise: number) => {
    const metres = Object.hasOwn(spec, name) ? numberOf(spec[name]) : otherwise;
    if (metres !== undefined && metres >= 0) return metres;
    throw badValue(`${name} must be a non-negative number`);
  };
  return { centre, min: limit('$minDistance', 0), max: limit('$maxDistance', Number.POSITIVE_INFINITY) };
}
