import type { ServiceKit } from '@wayquest/platform/service';
import { retryOnConflict } from '@wayquest/platform/store';
import type { Ledger } from './ledger.ts';
import type { MonthlyScores } from './monthly-scores.ts';
import { type ProfileDocument, profileModel, townOf } from './profile.model.ts';
import {
  type Board,
  createBoard,
  type Ranking,
  type RankingIndexes,
  type RankPosition,
  rankingOf,
} from './ranking-index.ts';
import { placesBetween, recountTowns, townId, type UncountedPlace } from './uncounted.ts';

const scoreProjection = { townPoints: 1, townCheckedIn: 1 } as const;

type Sums = Pick<ProfileDocument, keyof typeof scoreProjection>;
type Placed = Sums & Pick<ProfileDocument, 'town'>;
type Counted = Pick<ProfileDocument, '_id' | 'pointsVersion' | 'townUncounted'>;

const positionOf = ({ _id, townPoints, townCheckedIn }: Sums & { _id: number }): RankPosition => ({
  userId: _id,
  points: townPoints ?? 0,
  checkedIn: townCheckedIn ?? null,
});

/** Profiles of older versions have no town until a migration. */
const placeOf = ({ town, townPoints, townCheckedIn }: Placed): UncountedPlace | undefined =>
  town ? { town, points: townPoints ?? 0, checkedIn: townCheckedIn ?? null } : undefined;

/** All-time rankings of towns: of the people who say that they live there, by points for challenges that others created. */
export interface Towns {
  /** Sums of the ledger. Awards of older versions do not say whose challenge it was; they count, as in the months. */
  sumsOf(userId: number): Promise<Sums>;
  /** Stores the sums. The version is read before the sum (optimistic concurrency), as where points are awarded. */
  recompute(userId: number): Promise<void>;
  of(userId: number): Promise<string>;
  /** The ranking of a town. */
  ranking(town: string): Promise<Ranking>;
  /** What an update that changes a profile's town or points has to push (`$push`), so that the change is counted. */
  uncounted(before: Placed, changes: Partial<Placed>): { townUncounted?: { $each: UncountedPlace[] } };
  /** Counts somebody where they were and where they are; their profile says so until it is changed. */
  recount(profile: Counted): Promise<void>;
  /** Moves a person's rankings to another town, in the current month too, which ends `townIsMoving`. Idempotent. */
  move(userId: number, town: string): Promise<void>;
  /** Ends moves that somebody's call has begun and not ended. */
  finishMoves(): Promise<void>;
  /** Takes a person out of their town's ranking; returns their profile's version then, or null without a profile. */
  leave(userId: number): Promise<Counted | null>;
}

/** Creates the scores of people within their town, which are recomputed from the ledger. */
export function createTowns(
  { connection }: Pick<ServiceKit, 'connection'>,
  ledger: Ledger,
  monthlyScores: MonthlyScores,
  indexes: RankingIndexes,
): Towns {
  const Profiles = profileModel(connection);

  const boardOf = (town: string): Board =>
    createBoard<ProfileDocument>({
      id: `town:${townId(town)}`,
      model: Profiles,
      keys: ['points', 'checkedIn', 'userId'],
      noPoints: null,
      filterOf: ({ points, checkedIn, userId }) => ({
        town,
        ...(points !== undefined && { townPoints: points }),
        ...(checkedIn !== undefined && { townCheckedIn: checkedIn }),
        ...(userId !== undefined && { _id: userId }),
      }),
      fields: scoreProjection,
      order: { townPoints: -1, townCheckedIn: -1, _id: 1 },
      positionOf,
    });

  const sumsOf = async (userId: number): Promise<Sums> => {
    const { points, checkedIn } = await ledger.sumsOf({ userId, ownChallengeSlot: null, flaggedAt: null });
    return { townPoints: points || null, townCheckedIn: checkedIn };
  };

  const uncounted: Towns['uncounted'] = (before, changes) => {
    const places = placesBetween(placeOf(before), placeOf({ ...before, ...changes }));
    return places.length ? { townUncounted: { $each: places } } : {};
  };

  const recount = async ({ _id: userId, townUncounted }: Counted): Promise<void> =>
    recountTowns(indexes, { userId, places: townUncounted ?? [], boardOf });

  /** Changes somebody's place and counts them; null without a profile. */
  const change = async (
    userId: number,
    changesOf: () => Promise<Partial<Placed>>,
  ): Promise<Counted | null> => {
    const projection = { ...scoreProjection, town: 1, pointsVersion: 1, townUncounted: 1 } as const;
    const changed = await retryOnConflict(async () => {
      const profile = await Profiles.findById(userId, projection).lean();
      if (!profile) return null;
      const { pointsVersion = null } = profile;
      const changes = await changesOf();
      const places = uncounted(profile, changes);
      const update = {
        $set: { ...changes, pointsVersion: (pointsVersion ?? 0) + 1 },
        ...(places.townUncounted && { $push: places }),
      };
      const after = { returnDocument: 'after', projection } as const;
      return (
        (await Profiles.findOneAndUpdate({ _id: userId, pointsVersion }, update, after).lean()) ?? undefined
      );
    });
    if (!changed?.townUncounted?.length) return changed;
    await recount(changed);
    // A later write has these places, too, and counts them itself.
    const { pointsVersion } = changed;
    await Profiles.updateOne({ _id: userId, pointsVersion }, { $unset: { townUncounted: 1 } });
    return changed;
  };

  const recompute = async (userId: number): Promise<void> => {
    await change(userId, () => sumsOf(userId));
  };

  const move = async (userId: number, town: string): Promise<void> => {
    await monthlyScores.move(userId, town);
    // Scores of people without a town are not computed.
    await recompute(userId);
    await Profiles.updateOne({ _id: userId, town }, { $unset: { townIsMoving: 1 } });
  };

  return {
    sumsOf,
    recompute,
    of: (userId: number): Promise<string> => townOf(Profiles, userId),

    async ranking(town: string): Promise<Ranking> {
      if (!town) return rankingOf([]);
      return indexes.ranking(boardOf(town), async (userId) => {
        const profile = await Profiles.findById(userId, scoreProjection).lean();
        return positionOf(profile ?? { _id: userId });
      });
    },

    uncounted,
    recount,
    move,

    async finishMoves(): Promise<void> {
      const moving = await Profiles.find({ townIsMoving: true }, { town: 1 }).lean();
      for (const { _id, town } of moving) await move(_id, town);
    },

    leave: (userId) => change(userId, async () => ({ town: '' })),
  };
}
