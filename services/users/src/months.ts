import type { ServiceKit } from '@wayquest/platform/service';
import { upsert } from '@wayquest/platform/store';
import type { QueryFilter } from 'mongoose';
import { awardModel } from './award.model.ts';
import { byStanding, type Ranking, rankingOf } from './board.ts';
import { type MonthDocument, monthId, monthModel, monthOf } from './month.model.ts';

/** The rankings of each month: by what people completed of others' making, who has done none is in none. */
export function createMonths({ connection }: Pick<ServiceKit, 'connection'>) {
  const Awards = awardModel(connection);
  const Months = monthModel(connection);

  const standingOf = async (month: string, userId: number) => {
    const found = await Months.findById(monthId(month, userId), { points: 1 }).lean();
    return { userId, points: found?.points ?? 0 };
  };

  return {
    /** Brings somebody's month up to the ledger. The sum only grows, so this can come twice, or late. */
    async raise(userId: number, month: string): Promise<void> {
      const begin = new Date(`${month}-01T00:00:00Z`);
      const end = new Date(begin);
      end.setUTCMonth(end.getUTCMonth() + 1);
      const ofMonth = { userId, awardedAt: { $gte: begin, $lt: end }, ownPlace: null };
      const [sum] = await Awards.aggregate<{ points: number }>([
        { $match: ofMonth },
        { $group: { _id: null, points: { $sum: '$points' } } },
      ]);
      if (!sum?.points) return;
      const update = { $setOnInsert: { month, userId }, $max: { points: sum.points } };
      await upsert(Months, { _id: monthId(month, userId) }, update);
    },

    /** Of this month, among everybody. */
    async ranking(now = new Date()): Promise<Ranking> {
      const month = monthOf(now);
      const ahead = (filter: QueryFilter<MonthDocument>) => Months.countDocuments({ month, ...filter });
      return {
        total: await Months.countDocuments({ month }),
        standingOf: (userId) => standingOf(month, userId),
        ahead: async ({ points, userId }) =>
          (await ahead({ points: { $gt: points } })) + (await ahead({ points, userId: { $lt: userId } })),
        standings: (skip, limit) =>
          Months.find({ month }, { _id: 0, userId: 1, points: 1 })
            .sort({ points: -1, userId: 1 })
            .skip(skip)
            .limit(limit)
            .lean(),
      };
    },

    /** The same among some people. */
    async rankingAmong(people: number[], now = new Date()): Promise<Ranking> {
      const month = monthOf(now);
      const ids = people.map((userId) => monthId(month, userId));
      const found = await Months.find({ _id: { $in: ids } }, { _id: 0, userId: 1, points: 1 }).lean();
      return rankingOf(found.sort(byStanding));
    },
  };
}

export type Months = ReturnType<typeof createMonths>;
