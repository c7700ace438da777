import type { ServiceKit } from '@wayquest/platform/service';
import type { QueryFilter } from 'mongoose';
import { type AwardDocument, awardModel } from './award.model.ts';
import { monthOf } from './monthly-score.model.ts';

/** Sums of the ledger; revoked awards count 0. */
export interface Ledger {
  sumOf(filter: QueryFilter<AwardDocument>): Promise<number>;
  /** Points, and those with a check-in (null for none). */
  sumsOf(filter: QueryFilter<AwardDocument>): Promise<{ points: number; checkedIn: number | null }>;
  /** A user's total. */
  pointsOf(userId: number): Promise<number>;
  /** The months with awards of a user. */
  monthsOf(userId: number): Promise<string[]>;
}

/** Creates the queries for sums of the ledger. */
export function createLedger({ connection }: Pick<ServiceKit, 'connection'>): Ledger {
  const Awards = awardModel(connection);

  const sumOf = async (which: QueryFilter<AwardDocument>): Promise<number> => {
    const [sum] = await Awards.aggregate<{ points: number }>([
      { $match: which },
      { $group: { _id: null, points: { $sum: '$points' } } },
    ]);
    return sum?.points ?? 0;
  };

  return {
    sumOf,
    async sumsOf(which: QueryFilter<AwardDocument>): Promise<{ points: number; checkedIn: number | null }> {
      const sums = await Awards.aggregate<{ _id: boolean | null; points: number }>([
        { $match: which },
        { $group: { _id: '$checkedIn', points: { $sum: '$points' } } },
      ]);
      return {
        points: sums.reduce((all, { points }) => all + points, 0),
        checkedIn: sums.find(({ _id }) => _id)?.points || null,
      };
    },
    pointsOf: (userId: number): Promise<number> => sumOf({ userId }),
    async monthsOf(userId: number): Promise<string[]> {
      const moments = await Awards.distinct('awardedAt', { userId });
      return [...new Set(moments.map(monthOf))];
    },
  };
}
