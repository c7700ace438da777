import { type BoundingBox, localDate, type Phase, type Position } from '@wayquest/contracts';
import type { QueryFilter } from 'mongoose';
import type { ChallengeDocument } from './challenge.model.ts';

type Filter = QueryFilter<ChallengeDocument>;

/** The time zone of a challenge whose place is unknown. */
export const unknownTimeZone = 'UTC';

const radian = Math.PI / 180;

/** Beyond this radius, in radians, the index on positions would exclude too little to be worth it. */
const maxCapRadius = 45 * radian;

const angle = (a: Position, b: Position) => {
  const [north, east] = [(b.lat - a.lat) * radian, (b.lng - a.lng) * radian];
  const half =
    Math.sin(north / 2) ** 2 + Math.cos(a.lat * radian) * Math.cos(b.lat * radian) * Math.sin(east / 2) ** 2;
  return 2 * Math.asin(Math.min(1, Math.sqrt(half)));
};

/**
 * A spherical cap that contains a box. A polygon would not: its edges are geodesics, a box's are parallels. If a box is less
 * than half the world wide, its corners are farthest from its center.
 */
function capAround({
  west,
  south,
  east,
  north,
}: BoundingBox): { center: [number, number]; radius: number } | undefined {
  const width = east - west + (west <= east ? 0 : 360);
  if (width >= 180) return undefined;
  const center = { lat: (south + north) / 2, lng: west + width / 2 };
  const corners = [south, north].map((lat) => angle(center, { lat, lng: west }));
  // Stores' models of the Earth differ by less than 1 %.
  const radius = Math.max(...corners) * 1.01 + 1e-6;
  if (radius > maxCapRadius) return undefined;
  return { center: [center.lng > 180 ? center.lng - 360 : center.lng, center.lat], radius };
}

/** Within a box, by coordinates. */
export const inBox = ({ west, south, east, north }: BoundingBox): Filter => {
  const longitude = 'location.coordinates.0';
  return {
    'location.coordinates.1': { $gte: south, $lte: north },
    ...(west <= east
      ? { [longitude]: { $gte: west, $lte: east } }
      : { $or: [{ [longitude]: { $gte: west } }, { [longitude]: { $lte: east } }] }),
  };
};

/** A superset of a box that the position index supports; no filter where it would not help. */
export function boxIndexFilter(box: BoundingBox): Filter {
  const cap = capAround(box);
  return cap ? { location: { $geoWithin: { $centerSphere: [cap.center, cap.radius] } } } : {};
}

const earthRadius = 6_378_100;

/** Larger than any distance in meters. */
export const maxDistance = Math.ceil(Math.PI * earthRadius);

/** The largest distance within a box, in meters. */
export function diagonalOf(box: BoundingBox): number {
  const cap = capAround(box);
  return cap ? Math.ceil(2 * cap.radius * earthRadius) : maxDistance;
}

/** Whether a position is in a box. */
export const isInBox = ({ lat, lng }: Position, { west, south, east, north }: BoundingBox): boolean =>
  lat >= south && lat <= north && (west <= east ? lng >= west && lng <= east : lng >= west || lng <= east);

/** Within a radius in meters, nearest first. */
export const nearestTo = ({ lat, lng }: Position, radius: number): Filter => ({
  location: { $nearSphere: { $geometry: { type: 'Point', coordinates: [lng, lat] }, $maxDistance: radius } },
});

/** Within a radius in meters, in any order, so that it can be counted. */
export const inRadius = ({ lat, lng }: Position, radius: number): Filter => ({
  location: { $geoWithin: { $centerSphere: [[lng, lat], radius / earthRadius] } },
});

/** A box that contains a circle, with a radius in meters; all longitudes if the circle contains a pole. */
export function boxAround({ lat, lng }: Position, radius: number): BoundingBox {
  const angularRadius = radius / earthRadius;
  const [south, north] = [lat - angularRadius / radian, lat + angularRadius / radian];
  if (south <= -90 || north >= 90)
    return { west: -180, south: Math.max(south, -90), east: 180, north: Math.min(north, 90) };
  const halfWidth = Math.asin(Math.min(1, Math.sin(angularRadius) / Math.cos(lat * radian))) / radian;
  const [west, east] = [lng - halfWidth, lng + halfWidth];
  return { west: west < -180 ? west + 360 : west, south, east: east > 180 ? east - 360 : east, north };
}

const notEnded = (today: string): Filter => ({ $or: [{ endDate: null }, { endDate: { $gte: today } }] });

const phaseFilters: Record<Phase | 'ending', (today: string) => Filter> = {
  open: (today) => ({
    $and: [{ $or: [{ startDate: null }, { startDate: { $lte: today } }] }, notEnded(today)],
  }),
  upcoming: (today) => ({ startDate: { $gt: today } }),
  ended: (today) => ({ endDate: { $lt: today } }),
  current: notEnded,
  ending: (today) => ({ endDate: { $gte: today } }),
};

/**
 * In a phase at a time, or not ended yet, by the date in each of these time zones. All time zones are repeated
 * outside `$or`, so that the same index serves the query whether they have one date or several.
 */
export function inPhase(phase: Phase | 'ending', moment: Date, timeZones: string[]): Filter {
  const all = [...new Set([unknownTimeZone, ...timeZones])];
  const byDay = new Map<string, string[]>();
  for (const timeZone of all) {
    const today = localDate(timeZone, moment);
    byDay.set(today, [...(byDay.get(today) ?? []), timeZone]);
  }
  return {
    timeZone: { $in: all },
    $or: [...byDay].map(([today, zones]) => ({
      timeZone: { $in: zones },
      ...phaseFilters[phase](today),
    })),
  };
}
