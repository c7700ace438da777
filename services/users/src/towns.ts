import { townOf } from '@wayquest/contracts';
import type { ServiceKit } from '@wayquest/platform/service';
import type { QueryFilter } from 'mongoose';
import { type Ranking, rankingOf } from './board.ts';
import { monthId, monthModel, monthOf } from './month.model.ts';
import { type ProfileDocument, profileModel } from './profile.model.ts';

/** So many profiles of older versions are given their town at a time. */
const batch = 500;

/** The rankings of towns, of all time: by what people say of where they live. */
export function createTowns({ connection }: Pick<ServiceKit, 'connection'>) {
  const Profiles = profileModel(connection);
  const Months = monthModel(connection);
  return {
    async of(userId: number): Promise<string> {
      return (await Profiles.findById(userId, { town: 1 }).lean())?.town ?? '';
    },

    /** Counted along an index, as those of months are. */
    async ranking(town: string): Promise<Ranking> {
      if (!town) return rankingOf([]);
      const ahead = (filter: QueryFilter<ProfileDocument>) => Profiles.countDocuments({ town, ...filter });
      return {
        total: await Profiles.countDocuments({ town }),
        async standingOf(userId) {
          const profile = await Profiles.findById(userId, { points: 1 }).lean();
          return { userId, points: profile?.points ?? 0 };
        },
        ahead: async ({ points, userId }) =>
          (await ahead({ points: { $gt: points } })) + (await ahead({ points, _id: { $lt: userId } })),
        async standings(skip, limit) {
          const found = Profiles.find({ town }, { points: 1 }).sort({ points: -1, _id: 1 });
          return (await found.skip(skip).limit(limit).lean()).map(({ _id: userId, points }) => ({
            userId,
            points,
          }));
        },
      };
    },

    /** Somebody lives there now, this month as well. */
    async move(userId: number, town: string): Promise<void> {
      const _id = monthId(monthOf(new Date()), userId);
      // So that who adds up meanwhile, and read where they lived before, does it again.
      await Months.updateOne({ _id }, { $set: { town }, $inc: { version: 1 } });
    },

    /** Those of older versions have none yet. */
    async prepare(): Promise<void> {
      const month = monthOf(new Date());
      for (;;) {
        const found = await Profiles.find({ town: null }, { city: 1, state: 1 }).limit(batch).lean();
        if (!found.length) return;
        const towns = found.map((profile) => ({ _id: profile._id, town: townOf(profile) }));
        await Months.bulkWrite(
          towns.map(({ _id, town }) => ({
            updateOne: { filter: { _id: monthId(month, _id), town: null }, update: { $set: { town } } },
          })),
        );
        await Profiles.bulkWrite(
          towns.map(({ _id, town }) => ({
            updateOne: { filter: { _id, town: null }, update: { $set: { town } } },
          })),
        );
      }
    },
  };
}

export type Towns = ReturnType<typeof createTowns>;
