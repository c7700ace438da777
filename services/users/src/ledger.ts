import type { ServiceKit } from '@wayquest/platform/service';
import type { QueryFilter } from 'mongoose';
import { type AwardDocument, awardModel } from './award.model.ts';
import { monthOf } from './monthly-score.model.ts';

/** Sums of the ledger; revoked awards count 0. */
export function createLedger({ connection }: Pick<ServiceKit, 'connection'>) {
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
    /** Points, and those with a check-in (null for none). */
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
    /** A user's total. */
    pointsOf: (userId: number): Promise<number> => sumOf({ userId }),
    /** The months with awards of a user. */
    async monthsOf(userId: number): Promise<string[]> {
      const moments = await Awards.distinct('awardedAt', { userId });
      return [...new Set(moments.map(monthOf))];
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;
