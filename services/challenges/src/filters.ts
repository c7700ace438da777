import { type BoundingBox, localDate, type Phase, type Position } from '@wayquest/contracts';
import type { QueryFilter } from 'mongoose';
import type { ChallengeDocument } from './challenge.model.ts';

type Filter = QueryFilter<ChallengeDocument>;

/** Of a challenge of whose place nothing is known. */
export const unknownTimeZone = 'UTC';

const radian = Math.PI / 180;

/** Beyond this, in radians, an index on places would leave too little out to be worth it. */
const widestCap = 45 * radian;

const angle = (a: Position, b: Position) => {
  const [north, east] = [(b.lat - a.lat) * radian, (b.lng - a.lng) * radian];
  const half =
    Math.sin(north / 2) ** 2 + Math.cos(a.lat * radian) * Math.cos(b.lat * radian) * Math.sin(east / 2) ** 2;
  return 2 * Math.asin(Math.min(1, Math.sqrt(half)));
};

/**
 * A cap of the sphere that holds a box. A polygon would not: its edges are geodesics, a box's are parallels. Of a box
 * less than half the world wide the corners lie farthest from its middle.
 */
function capAround({
  west,
  south,
  east,
  north,
}: BoundingBox): { centre: [number, number]; radius: number } | undefined {
  const width = east - west + (west <= east ? 0 : 360);
  if (width >= 180) return undefined;
  const centre = { lat: (south + north) / 2, lng: west + width / 2 };
  const corners = [south, north].map((lat) => angle(centre, { lat, lng: west }));
  // Stores differ in the shape of the Earth by less than a hundredth.
  const radius = Math.max(...corners) * 1.01 + 1e-6;
  if (radius > widestCap) return undefined;
  return { centre: [centre.lng > 180 ? centre.lng - 360 : centre.lng, centre.lat], radius };
}

/** Within a box, by the numbers. */
export const inside = ({ west, south, east, north }: BoundingBox): Filter => {
  const longitude = 'location.coordinates.0';
  return {
    'location.coordinates.1': { $gte: south, $lte: north },
    ...(west <= east
      ? { [longitude]: { $gte: west, $lte: east } }
      : { $or: [{ [longitude]: { $gte: west } }, { [longitude]: { $lte: east } }] }),
  };
};

/** Near enough to a box to lie in it, by the index on places; everything where that would not help. */
export function about(box: BoundingBox): Filter {
  const cap = capAround(box);
  return cap ? { location: { $geoWithin: { $centerSphere: [cap.centre, cap.radius] } } } : {};
}

/** Within so many metres; such a search answers the nearest first. */
export const around = ({ lat, lng }: Position, radius: number): Filter => ({
  location: { $nearSphere: { $geometry: { type: 'Point', coordinates: [lng, lat] }, $maxDistance: radius } },
});

const earthRadius = 6_378_100;

/** Within so many metres, in any order: such a search can be counted. */
export const within = ({ lat, lng }: Position, radius: number): Filter => ({
  location: { $geoWithin: { $centerSphere: [[lng, lat], radius / earthRadius] } },
});

const notEnded = (today: string): Filter => ({ $or: [{ endDate: null }, { endDate: { $gte: today } }] });

const onDay: Record<Phase | 'ending', (today: string) => Filter> = {
  open: (today) => ({
    $and: [{ $or: [{ startDate: null }, { startDate: { $lte: today } }] }, notEnded(today)],
  }),
  upcoming: (today) => ({ startDate: { $gt: today } }),
  ended: (today) => ({ endDate: { $lt: today } }),
  ending: (today) => ({ endDate: { $gte: today } }),
};

/** In a phase at a moment, or still to end, by the day that it then is in each of these time zones. */
export function inPhase(phase: Phase | 'ending', moment: Date, timeZones: string[]): Filter {
  const byDay = new Map<string, string[]>();
  for (const timeZone of new Set([unknownTimeZone, ...timeZones])) {
    const today = localDate(timeZone, moment);
    byDay.set(today, [...(byDay.get(today) ?? []), timeZone]);
  }
  return {
    $or: [...byDay].map(([today, zones]) => ({
      timeZone: { $in: zones },
      ...onDay[phase](today),
    })),
  };
}
