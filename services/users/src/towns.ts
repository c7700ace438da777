import type { ServiceKit } from '@wayquest/platform/service';
import { retryOnConflict } from '@wayquest/platform/store';
import type { QueryFilter } from 'mongoose';
import type { Ledger } from './ledger.ts';
import { monthId, monthlyScoreModel, monthOf } from './monthly-score.model.ts';
import { type ProfileDocument, profileModel } from './profile.model.ts';
import { type Ranking, type RankPosition, rankingOf } from './ranking-index.ts';

const scoreProjection = { townPoints: 1, townCheckedIn: 1 } as const;

type Sums = Pick<ProfileDocument, keyof typeof scoreProjection>;

const positionOf = ({ _id, townPoints, townCheckedIn }: Sums & { _id: number }): RankPosition => ({
  userId: _id,
  points: townPoints ?? 0,
  checkedIn: townCheckedIn ?? null,
});

/** All-time rankings of towns: of the people who say that they live there, by points for challenges that others created. */
export interface Towns {
  /** Sums of the ledger. Awards of older versions do not say whose challenge it was; they count, as in the months. */
  sumsOf(userId: number): Promise<Sums>;
  /** Stores the sums. The version is read before the sum (optimistic concurrency), as where points are awarded. */
  recompute(userId: number): Promise<void>;
  of(userId: number): Promise<string>;
  /** The ranking of a town; counts use an index. */
  ranking(town: string): Promise<Ranking>;
  /** Moves a person's rankings to another town, in the current month too, which ends `townIsMoving`. Idempotent. */
  move(userId: number, town: string): Promise<void>;
}

/** Creates the scores of people within their town, which are recomputed from the ledger. */
export function createTowns(
  { connection, clock }: Pick<ServiceKit, 'connection' | 'clock'>,
  ledger: Ledger,
): Towns {
  const Profiles = profileModel(connection);
  const MonthlyScores = monthlyScoreModel(connection);

  const sumsOf = async (userId: number): Promise<Sums> => {
    const { points, checkedIn } = await ledger.sumsOf({ userId, ownChallengeSlot: null, flaggedAt: null });
    return { townPoints: points || null, townCheckedIn: checkedIn };
  };

  const recompute = async (userId: number): Promise<void> => {
    await retryOnConflict(async () => {
      const profile = await Profiles.findById(userId, { pointsVersion: 1 }).lean();
      if (!profile) return true;
      const { pointsVersion = null } = profile;
      const update = { $set: { ...(await sumsOf(userId)), pointsVersion: (pointsVersion ?? 0) + 1 } };
      return (await Profiles.updateOne({ _id: userId, pointsVersion }, update)).matchedCount
        ? true
        : undefined;
    });
  };

  return {
    sumsOf,
    recompute,

    async of(userId: number): Promise<string> {
      return (await Profiles.findById(userId, { town: 1 }).lean())?.town ?? '';
    },

    async ranking(town: string): Promise<Ranking> {
      if (!town) return rankingOf([]);
      const countWhere = (filter: QueryFilter<ProfileDocument>) =>
        Profiles.countDocuments({ town, ...filter });
      return {
        total: await Profiles.countDocuments({ town }),
        async positionOf(userId) {
          const profile = await Profiles.findById(userId, scoreProjection).lean();
          return positionOf(profile ?? { _id: userId });
        },
        countAhead: async ({ points, checkedIn, userId }) => {
          const [townPoints, townCheckedIn] = [points || null, checkedIn || null];
          return (
            (await countWhere({ townPoints: { $gt: points } })) +
            (await countWhere({ townPoints, townCheckedIn: { $gt: checkedIn ?? 0 } })) +
            (await countWhere({ townPoints, townCheckedIn, _id: { $lt: userId } }))
          );
        },
        async positions(skip, limit) {
          const order = { townPoints: -1, townCheckedIn: -1, _id: 1 } as const;
          const found = Profiles.find({ town }, scoreProjection).sort(order).skip(skip).limit(limit);
          return (await found.lean()).map(positionOf);
        },
      };
    },

    async move(userId: number, town: string): Promise<void> {
      const _id = monthId(monthOf(new Date(clock.now())), userId);
      // A concurrent recomputation that read the old town conflicts, and is retried.
      await MonthlyScores.updateOne({ _id }, { $set: { town }, $inc: { version: 1 } });
      // Scores of people without a town are not computed.
      await recompute(userId);
      await Profiles.updateOne({ _id: userId, town }, { $unset: { townIsMoving: 1 } });
    },
  };
}
