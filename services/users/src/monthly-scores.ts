import type { ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey, retryOnConflict } from '@wayquest/platform/store';
import type { Ledger } from './ledger.ts';
import {
  type MonthlyScoreDocument,
  monthId,
  monthlyScoreModel,
  monthOf,
  startOfMonth,
} from './monthly-score.model.ts';
import { profileModel, townOf } from './profile.model.ts';
import {
  type Board,
  byRank,
  createBoard,
  type Ranking,
  type RankingIndexes,
  rankingOf,
} from './ranking-index.ts';
import { placesBetween, recountTowns, townId, type UncountedPlace } from './uncounted.ts';

/** People whose points were all revoked are not ranked. */
const rankedFilter = { points: { $gt: 0 } };

const position = { _id: 0, userId: 1, points: 1, checkedIn: 1 } as const;

type Score = Pick<MonthlyScoreDocument, 'town' | 'points' | 'checkedIn'>;

const placeOf = ({ town = '', points, checkedIn = null }: Score): UncountedPlace | undefined =>
  points > 0 ? { town, points, checkedIn } : undefined;

/** The rankings of each month, by points for challenges that others created. People without any are not ranked. */
export interface MonthlyScores {
  /** Creates the index of the current month in a store that has none. */
  prepare(): Promise<void>;
  /** Stores the sums of a person's month from the ledger. The last write is of the latest sum (optimistic concurrency). */
  recompute(userId: number, month: string): Promise<void>;
  /** Moves a person's score of the current month to another town. Idempotent. */
  move(userId: number, town: string): Promise<void>;
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
  indexes: RankingIndexes,
): MonthlyScores {
  const MonthlyScores = monthlyScoreModel(connection);
  const Profiles = profileModel(connection);
  const currentMonth = () => monthOf(new Date(clock.now()));

  const boardOf = (month: string, town?: string): Board =>
    createBoard({
      id: town === undefined ? `month:${month}` : `month:${month}:${townId(town)}`,
      model: MonthlyScores,
      keys: ['points', 'checkedIn', 'userId'],
      noPoints: undefined,
      filterOf: (conditions) => ({ month, ...(town !== undefined && { town }), ...conditions }),
      fields: position,
      order: { points: -1, checkedIn: -1, userId: 1 },
      positionOf: ({ userId, points, checkedIn = null }) => ({ userId, points, checkedIn }),
    });

  /** Counts a person where they were and where they are; also what an earlier write has left. */
  const count = async (score: MonthlyScoreDocument): Promise<void> => {
    const { _id, month, userId, version, uncounted: places } = score;
    if (!places?.length) return;
    await indexes.recount(
      boardOf(month),
      places.map(({ points, checkedIn }) => ({ userId, points, checkedIn })),
    );
    await recountTowns(indexes, { userId, places, boardOf: (town) => boardOf(month, town) });
    // A later write has these places, too, and counts them itself.
    await MonthlyScores.updateOne({ _id, version }, { $unset: { uncounted: 1 } });
  };

  /** Changes a score and counts it; null if there is none. The version is read before what the change is computed from. */
  const change = async (
    _id: string,
    changesOf: () => Promise<Partial<Score>>,
  ): Promise<MonthlyScoreDocument | null> => {
    const changed = await retryOnConflict(async () => {
      const found = await MonthlyScores.findById(_id).lean();
      if (!found) return null;
      const { version = null } = found;
      const changes = await changesOf();
      const places = placesBetween(placeOf(found), placeOf({ ...found, ...changes }));
      const update = {
        $set: { ...changes, version: (version ?? 0) + 1 },
        ...(places.length && { $push: { uncounted: { $each: places } } }),
      };
      const after = { returnDocument: 'after' } as const;
      return (await MonthlyScores.findOneAndUpdate({ _id, version }, update, after).lean()) ?? undefined;
    });
    if (changed) await count(changed);
    return changed;
  };

  /** Returns undefined for a duplicate key. */
  const insert = async (score: MonthlyScoreDocument): Promise<true | undefined> => {
    try {
      await MonthlyScores.create(score);
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
    prepare: () => indexes.prepare(boardOf(currentMonth())),

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
      const current = async () => ({
        ...(await ledger.sumsOf(ofMonth)),
        town: await townOf(Profiles, userId),
      });
      await retryOnConflict(async () => {
        if (await change(_id, current)) return true;
        const score = await current();
        const uncounted = placesBetween(undefined, placeOf(score));
        // Also without points, so that a concurrent recomputation conflicts.
        const inserted = { _id, month, userId, ...score, version: 1, ...(uncounted.length && { uncounted }) };
        if (!(await insert(inserted)) || (await townOf(Profiles, userId)) !== score.town) return undefined;
        await count(inserted);
        return true;
      });
    },

    async move(userId: number, town: string): Promise<void> {
      // A concurrent recomputation that read the old town conflicts, and is retried.
      await change(monthId(currentMonth(), userId), async () => ({ town }));
    },

    async erase(userId: number): Promise<void> {
      for (const month of await ledger.monthsOf(userId))
        await retryOnConflict(async () => {
          const _id = monthId(month, userId);
          // Counted before it is deleted, since nothing else says where it was.
          const unranked = await change(_id, async () => ({ points: 0, checkedIn: null }));
          if (!unranked) return true;
          const { version } = unranked;
          return (await MonthlyScores.deleteOne({ _id, version })).deletedCount ? true : undefined;
        });
    },

    async ranking(town?: string, now = new Date(clock.now())): Promise<Ranking> {
      const month = monthOf(now);
      return indexes.ranking(boardOf(month, town), (userId) => positionOf(month, userId));
    },

    async rankingAmong(people: number[], now = new Date(clock.now())): Promise<Ranking> {
      const month = monthOf(now);
      const ids = people.map((userId) => monthId(month, userId));
      const found = await MonthlyScores.find({ _id: { $in: ids }, ...rankedFilter }, position).lean();
      return rankingOf(found.sort(byRank));
    },
  };
}
