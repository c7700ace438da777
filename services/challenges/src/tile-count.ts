import type { Model, QueryFilter } from 'mongoose';
import type { ChallengeDocument } from './challenge.model.ts';

/** A count of challenges on the map. */
export interface TileCount {
  count: number;
  /** The sums of their coordinates. */
  lng: number;
  lat: number;
  /** The newest one's id and city. */
  newest: number;
  city: string;
}

/** The sum of several. */
export const merge = (counts: TileCount[]): TileCount =>
  counts.reduce((a, b) => {
    const { newest, city } = a.newest > b.newest ? a : b;
    return { count: a.count + b.count, lng: a.lng + b.lng, lat: a.lat + b.lat, newest, city };
  });

/** Counts the challenges that a filter finds, grouped by an expression. */
export async function countBy<Id>(
  Challenges: Model<ChallengeDocument>,
  filter: QueryFilter<ChallengeDocument>,
  id: unknown,
): Promise<(TileCount & { _id: Id })[]> {
  const coordinate = (index: number) => ({ $arrayElemAt: ['$location.coordinates', index] });
  const counted: (Omit<TileCount, 'city'> & { _id: Id })[] = await Challenges.aggregate([
    { $match: filter },
    {
      $group: {
        _id: id,
        count: { $sum: 1 },
        lng: { $sum: coordinate(0) },
        lat: { $sum: coordinate(1) },
        newest: { $max: '$_id' },
      },
    },
  ]);
  const newest = await Challenges.find(
    { _id: { $in: counted.map((tileCount) => tileCount.newest) } },
    { city: 1 },
  ).lean();
  const cities = new Map(newest.map(({ _id, city }) => [_id, city]));
  return counted.map((tileCount) => ({ ...tileCount, city: cities.get(tileCount.newest) ?? '' }));
}
