import type { ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey, retryOnConflict } from '@wayquest/platform/store';
import type { QueryFilter } from 'mongoose';
import type { Ledger } from './ledger.ts';
import {
  type MonthlyScoreDocument,
  monthId,
  monthlyScoreModel,
  monthOf,
  startOfMonth,
} from './monthly-score.model.ts';
import { byRank, type Ranking, rankingOf } from './ranking-index.ts';
import type { Towns } from './towns.ts';

/** People whose points were all revoked are not ranked. */
const rankedFilter = { points: { $gt: 0 } };

const position = { _id: 0, userId: 1, points: 1, checkedIn: 1 } as const;

/** The rankings of each month, by points for challenges that others created. People without any are not ranked. */
export interface MonthlyScores {
  /** Stores the sums of a person's month from the ledger. The last write is of the latest sum (optimistic concurrency). */
  recompute(userId: number, month: string): Promise<void>;
  /** Deletes a person's scores of all months; call it before their awards are deleted from the ledger. */
  erase(userId: number): Promise<void>;
  /** The ranking of the current month, of everybody or of a town. */
  ranking(town?: string, now?: Date): Promise<Ranking>;
  /** The ranking of the current month among some people. */
  rankingAmong(people: number[], now?: Date): Promise<Ranking>;
}

/** Creates the scores of each month, which are recomputed from the ledger. */
export function createMonthlyScores(
  { connection, clock }: Pick<ServiceKit, 'connection' | 'clock'>,
  ledger: Ledger,
  towns: Towns,
): MonthlyScores {
  const MonthlyScores = monthlyScoreModel(connection);

  /** Returns undefined for a duplicate key. */
  const insert = async (sum: MonthlyScoreDocument): Promise<true | undefined> => {
    try {
      await MonthlyScores.create(sum);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
  };

  const positionOf = async (month: string, userId: number) => {
    const found = await MonthlyScores.findById(monthId(month, userId), position).lean();
    return found ?? { userId, points: 0 };
  };

  return {
    async recompute(userId: number, month: string): Promise<void> {
      const begin = startOfMonth(month);
      const end = new Date(begin);
      end.setUTCMonth(end.getUTCMonth() + 1);
      const ofMonth = {
        userId,
        awardedAt: { $gte: begin, $lt: end },
        ownChallengeSlot: null,
        flaggedAt: null,
      };
      const _id = monthId(month, userId);
      await retryOnConflict(async () => {
        const found = await MonthlyScores.findById(_id, { version: 1 }).lean();
        const sums = await ledger.sumsOf(ofMonth);
        const town = await towns.of(userId);
        if (!found) {
          // Also without points, so that a concurrent recomputation conflicts.
          const isInserted = await insert({ _id, month, userId, town, ...sums, version: 1 });
          return isInserted && (await towns.of(userId)) === town ? true : undefined;
        }
        const { version = null } = found;
        const update = { $set: { town, ...sums, version: (version ?? 0) + 1 } };
        return (await MonthlyScores.updateOne({ _id, version }, update)).matchedCount ? true : undefined;
      });
    },

    async erase(userId: number): Promise<void> {
      const awarded = await ledger.monthsOf(userId);
      await MonthlyScores.deleteMany({ _id: { $in: awarded.map((month) => monthId(month, userId)) } });
    },

    async ranking(town?: string, now = new Date(clock.now())): Promise<Ranking> {
      const monthFilter = { month: monthOf(now), ...(town !== undefined && { town }) };
      const countWhere = (filter: QueryFilter<MonthlyScoreDocument>) =>
        MonthlyScores.countDocuments({ ...monthFilter, ...filter });
      return {
        total: await MonthlyScores.countDocuments({ ...monthFilter, ...rankedFilter }),
        positionOf: (userId) => positionOf(monthFilter.month, userId),
        countAhead: async ({ points, checkedIn, userId }) =>
          (await countWhere({ points: { $gt: points } })) +
          (await countWhere({ points, checkedIn: { $gt: checkedIn ?? 0 } })) +
          (await countWhere({ points, checkedIn: checkedIn || null, userId: { $lt: userId } })),
        positions: (skip, limit) =>
          MonthlyScores.find({ ...monthFilter, ...rankedFilter }, position)
            .sort({ points: -1, checkedIn: -1, userId: 1 })
            .skip(skip)
            .limit(limit)
            .lean(),
      };
    },

    async rankingAmong(people: number[], now = new Date(clock.now())): Promise<Ranking> {
      const month = monthOf(now);
      const ids = people.map((userId) => monthId(month, userId));
      const found = await MonthlyScores.find({ _id: { $in: ids }, ...rankedFilter }, position).lean();
      return rankingOf(found.sort(byRank));
    },
  };
}
