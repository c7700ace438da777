import { townOf } from '@wayquest/contracts';
import type { ServiceKit } from '@wayquest/platform/service';
import { retryOnConflict, upsert } from '@wayquest/platform/store';
import type { QueryFilter } from 'mongoose';
import { boardModel, type Standing } from './board.model.ts';
import { type Ranking, rankingOf } from './board.ts';
import type { Ledger } from './ledger.ts';
import { monthId, monthModel, monthOf } from './month.model.ts';
import { type ProfileDocument, profileModel } from './profile.model.ts';

/** So many profiles of older versions are given their town at a time. */
const batch = 500;

/** So many people's points are added up at a time. */
const addedUpTogether = 50;

/** The board that says that everybody's have been. */
const complete = 'towns';

const standing = { townPoints: 1, townCheckedIn: 1 } as const;

type Sums = Pick<ProfileDocument, keyof typeof standing>;

const standingOf = ({ _id, townPoints, townCheckedIn }: Sums & { _id: number }): Standing => ({
  userId: _id,
  points: townPoints ?? 0,
  checkedIn: townCheckedIn ?? null,
});

/** The rankings of towns, of all time: by what people say of where they live, and what they completed there or anywhere of others' making. */
export function createTowns({ connection, clock }: Pick<ServiceKit, 'connection' | 'clock'>, ledger: Ledger) {
  const Profiles = profileModel(connection);
  const Months = monthModel(connection);
  const Boards = boardModel(connection);

  /** What the ledger says. Older lines do not say whose challenge it was: they count, as they did in their months. */
  const sumsOf = async (userId: number): Promise<Sums> => {
    const { points, checkedIn } = await ledger.sumsOf({ userId, ownPlace: null, heldAt: null });
    return { townPoints: points || null, townCheckedIn: checkedIn };
  };

  /** Makes it so. The version is read before the sum, as where points are awarded. */
  const addUp = async (userId: number): Promise<void> => {
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
    addUp,

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
          const profile = await Profiles.findById(userId, standing).lean();
          return standingOf(profile ?? { _id: userId });
        },
        ahead: async ({ points, checkedIn, userId }) => {
          const [townPoints, townCheckedIn] = [points || null, checkedIn || null];
          return (
            (await ahead({ townPoints: { $gt: points } })) +
            (await ahead({ townPoints, townCheckedIn: { $gt: checkedIn ?? 0 } })) +
            (await ahead({ townPoints, townCheckedIn, _id: { $lt: userId } }))
          );
        },
        async standings(skip, limit) {
          const order = { townPoints: -1, townCheckedIn: -1, _id: 1 } as const;
          const found = Profiles.find({ town }, standing).sort(order).skip(skip).limit(limit);
          return (await found.lean()).map(standingOf);
        },
      };
    },

    /** Somebody lives there now, this month as well. */
    async move(userId: number, town: string): Promise<void> {
      const _id = monthId(monthOf(new Date(clock.now())), userId);
      // So that who adds up meanwhile, and read where they lived before, does it again.
      await Months.updateOne({ _id }, { $set: { town }, $inc: { version: 1 } });
      // Of who lived nowhere nothing was counted when that began.
      await addUp(userId);
    },

    /** The points of those who live somewhere, once in the life of a store, and again when `boards` is dropped. */
    async count(): Promise<void> {
      if (await Boards.exists({ _id: complete })) return;
      for (let after: number | undefined = 0; after !== undefined; ) {
        const found: { _id: number }[] = await Profiles.find(
          { _id: { $gt: after }, town: { $gt: '' } },
          { _id: 1 },
        )
          .sort({ _id: 1 })
          .limit(addedUpTogether)
          .lean();
        await Promise.all(found.map(({ _id }) => addUp(_id)));
        after = found.at(-1)?._id;
      }
      await upsert(Boards, { _id: complete }, { $setOnInsert: { version: 1, sections: [] } });
    },

    /** Those of older versions have none yet. */
    async prepare(): Promise<void> {
      const month = monthOf(new Date(clock.now()));
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
