import type { ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey, retryOnConflict } from '@wayquest/platform/store';
import type { QueryFilter } from 'mongoose';
import { byStanding, type Ranking, rankingOf } from './board.ts';
import type { Ledger } from './ledger.ts';
import { beginOf, type MonthDocument, monthId, monthModel, monthOf } from './month.model.ts';
import type { Towns } from './towns.ts';

/** Of whom all was taken back stands nowhere. */
const someone = { points: { $gt: 0 } };

const standing = { _id: 0, userId: 1, points: 1, checkedIn: 1 } as const;

/** The rankings of each month: by what people completed of others' making, who has done none is in none. */
export function createMonths(
  { connection, clock }: Pick<ServiceKit, 'connection' | 'clock'>,
  ledger: Ledger,
  towns: Towns,
) {
  const Months = monthModel(connection);

  /** Answers undefined when somebody else was first. */
  const insert = async (sum: MonthDocument): Promise<true | undefined> => {
    try {
      await Months.create(sum);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
  };

  const standingOf = async (month: string, userId: number) => {
    const found = await Months.findById(monthId(month, userId), standing).lean();
    return found ?? { userId, points: 0 };
  };

  return {
    /** Makes somebody's month what the ledger says. Who writes last has added up last. */
    async addUp(userId: number, month: string): Promise<void> {
      const begin = beginOf(month);
      const end = new Date(begin);
      end.setUTCMonth(end.getUTCMonth() + 1);
      const ofMonth = { userId, awardedAt: { $gte: begin, $lt: end }, ownPlace: null, heldAt: null };
      const _id = monthId(month, userId);
      await retryOnConflict(async () => {
        const found = await Months.findById(_id, { version: 1 }).lean();
        const sums = await ledger.sumsOf(ofMonth);
        const town = await towns.of(userId);
        if (!found) {
          // Also one without points: who read the ledger before has to notice.
          const isIn = await insert({ _id, month, userId, town, ...sums, version: 1 });
          return isIn && (await towns.of(userId)) === town ? true : undefined;
        }
        const { version = null } = found;
        const update = { $set: { town, ...sums, version: (version ?? 0) + 1 } };
        return (await Months.updateOne({ _id, version }, update)).matchedCount ? true : undefined;
      });
    },

    /** Takes somebody off those of all months in which they earned anything: to be done before the ledger forgets that. */
    async erase(userId: number): Promise<void> {
      const awarded = await ledger.monthsOf(userId);
      await Months.deleteMany({ _id: { $in: awarded.map((month) => monthId(month, userId)) } });
    },

    /** Of this month, among everybody or those of a town. */
    async ranking(town?: string, now = new Date(clock.now())): Promise<Ranking> {
      const which = { month: monthOf(now), ...(town !== undefined && { town }) };
      const ahead = (filter: QueryFilter<MonthDocument>) => Months.countDocuments({ ...which, ...filter });
      return {
        total: await Months.countDocuments({ ...which, ...someone }),
        standingOf: (userId) => standingOf(which.month, userId),
        ahead: async ({ points, checkedIn, userId }) =>
          (await ahead({ points: { $gt: points } })) +
          (await ahead({ points, checkedIn: { $gt: checkedIn ?? 0 } })) +
          (await ahead({ points, checkedIn: checkedIn || null, userId: { $lt: userId } })),
        standings: (skip, limit) =>
          Months.find({ ...which, ...someone }, standing)
            .sort({ points: -1, checkedIn: -1, userId: 1 })
            .skip(skip)
            .limit(limit)
            .lean(),
      };
    },

    /** The same among some people. */
    async rankingAmong(people: number[], now = new Date(clock.now())): Promise<Ranking> {
      const month = monthOf(now);
      const ids = people.map((userId) => monthId(month, userId));
      const found = await Months.find({ _id: { $in: ids }, ...someone }, standing).lean();
      return rankingOf(found.sort(byStanding));
    },
  };
}

export type Months = ReturnType<typeof createMonths>;
