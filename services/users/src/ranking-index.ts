import type { Event } from '@wayquest/contracts';
import { createBatcher } from '@wayquest/platform/async';
import type { ServiceKit } from '@wayquest/platform/service';
import { retryOnConflict, upsert } from '@wayquest/platform/store';
import { type Connection, type QueryFilter, Schema } from 'mongoose';
import { type ProfileDocument, profileModel } from './profile.model.ts';

/** A position in a ranking: by points, then by points with a check-in (both descending), then by user id. */
export interface RankPosition {
  points: number;
  /** Points of completions with a check-in; not used by the all-time ranking. */
  checkedIn?: number | null;
  userId: number;
}

/** A bucket of the ranking: how many people are ranked from this position on, up to the next bucket. */
interface RankBucket extends Omit<RankPosition, 'checkedIn'> {
  count: number;
}

/** A ranking as consecutive buckets; there is always at least one. */
export interface RankingIndexDocument {
  _id: string;
  /** Version for optimistic concurrency. */
  version: number;
  buckets: RankBucket[];
}

const schema = new Schema<RankingIndexDocument>({
  _id: { type: String, required: true },
  version: { type: Number, required: true },
  buckets: {
    type: [
      new Schema<RankBucket>(
        {
          points: { type: Number, required: true },
          userId: { type: Number, required: true },
          count: { type: Number, required: true },
        },
        { _id: false },
      ),
    ],
    required: true,
  },
});
schema.set('shardKey', { _id: 'hashed' });

const rankingIndexModel = (connection: Connection) =>
  connection.model<RankingIndexDocument>('RankingIndex', schema, 'ranking_indexes');

/** A ranking at one moment. */
export interface Ranking {
  total: number;
  /** A person's position in it, or where they would be. */
  positionOf(userId: number): Promise<RankPosition>;
  /** How many people are ranked before a position. */
  countAhead(of: RankPosition): Promise<number>;
  /** A page of positions. */
  positions(skip: number, limit: number): Promise<RankPosition[]>;
}

/** A person's change of position; `before` is undefined for a new person. */
interface Move {
  now: RankPosition;
  before: RankPosition | undefined;
}

/** A larger bucket is split. */
const maxBucketSize = 1_000;
/** Size of the buckets that it is split into, and up to which two neighbors are merged. */
const bucketSize = 500;

/** Id of the all-time ranking. */
const allTime = 'all';
const first: RankPosition = { points: Number.MAX_SAFE_INTEGER, userId: 0 };

export const byRank = (one: RankPosition, other: RankPosition): number =>
  other.points - one.points || (other.checkedIn ?? 0) - (one.checkedIn ?? 0) || one.userId - other.userId;

/** A ranking of a few sorted positions, in memory. */
export const rankingOf = (positions: RankPosition[]): Ranking => ({
  total: positions.length,
  positionOf: async (userId) =>
    positions.find((position) => position.userId === userId) ?? { userId, points: 0 },
  countAhead: async (of) => positions.filter((position) => byRank(position, of) < 0).length,
  positions: async (skip, limit) => positions.slice(skip, skip + limit),
});

/** Filter for the profiles ranked from one position up to another, or to the end: at most three ranges of the index. */
const rangeFilter = (from: RankPosition, to?: RankPosition): QueryFilter<ProfileDocument> =>
  from.points === to?.points
    ? { points: from.points, _id: { $gte: from.userId, $lt: to.userId } }
    : {
        $or: [
          { points: from.points, _id: { $gte: from.userId } },
          // Whole numbers with their ends: a store may read those of an open range too, and very many have no points.
          { points: { $lte: from.points - 1, ...(to && { $gte: to.points + 1 }) } },
          ...(to ? [{ points: to.points, _id: { $lt: to.userId } }] : []),
        ],
      };

const bucketIndexOf = (buckets: RankBucket[], position: RankPosition): number =>
  Math.max(
    0,
    buckets.findLastIndex((bucket) => byRank(bucket, position) <= 0),
  );

/** Merges small neighbors. */
function mergeSmallBuckets(buckets: RankBucket[]): RankBucket[] {
  const done: RankBucket[] = [];
  for (const bucket of buckets) {
    const last = done.at(-1);
    if (last && last.count + bucket.count <= bucketSize) last.count += bucket.count;
    else done.push({ ...bucket });
  }
  return done;
}

/**
 * The all-time ranking as counts of buckets: a position is found within one of them, however many people there are. It is
 * updated by the events of the profiles' outboxes. Buckets are always recounted, never incremented, so that applying an event
 * twice or late does no harm (ADR 15).
 */
export interface RankingIndex {
  /** Creates the index in a store that has none. */
  prepare(): Promise<void>;
  /** Applies an event of a profile's outbox. */
  apply(event: Event): Promise<void>;
  /** Recounts the bucket that a person was in. */
  recount(now: RankPosition): Promise<void>;
  ranking(): Promise<Ranking>;
}

/** Creates the index of how many people have which number of points, from which ranks are computed. */
export function createRankingIndex({ connection }: Pick<ServiceKit, 'connection'>): RankingIndex {
  const Indexes = rankingIndexModel(connection);
  const Profiles = profileModel(connection);

  const count = (from: RankPosition, to?: RankPosition) => Profiles.countDocuments(rangeFilter(from, to));

  /** A covered query: no profile is read. */
  const profilesBetween = (from: RankPosition, to?: RankPosition) =>
    Profiles.find(rangeFilter(from, to), { points: 1 }).sort({ points: -1, _id: 1 }).lean();

  /** Splits a range of the ranking into buckets by counting its profiles. */
  const split = async (from: RankPosition, to?: RankPosition): Promise<RankBucket[]> => {
    let bucket = { ...from, count: 0 };
    const buckets = [bucket];
    for await (const { _id: userId, points } of profilesBetween(from, to).cursor()) {
      if (bucket.count === bucketSize) {
        bucket = { points, userId, count: 0 };
        buckets.push(bucket);
      }
      bucket.count += 1;
    }
    return buckets;
  };

  /** Loads the index; creates it from the profiles if there is none. */
  const load = async () => {
    const index = await Indexes.findById(allTime).lean();
    if (index) return index;
    await upsert(
      Indexes,
      { _id: allTime },
      { $setOnInsert: { version: 1, buckets: mergeSmallBuckets(await split(first)) } },
    );
    return Indexes.findById(allTime).lean().orFail();
  };

  /** Recounts buckets, and splits those that are too large. */
  const recountBuckets = async (buckets: RankBucket[], indexes: Set<number>): Promise<RankBucket[]> => {
    const parts = buckets.map(async (bucket, index) => {
      if (!indexes.has(index)) return bucket;
      const next = buckets[index + 1];
      const now = { ...bucket, count: await count(bucket, next) };
      return now.count > maxBucketSize ? split(bucket, next) : now;
    });
    return mergeSmallBuckets((await Promise.all(parts)).flat());
  };

  /**
   * Updates the index for people whose profiles have changed already. The version is read before counting, so a concurrent
   * writer conflicts and counts again.
   */
  const move = createBatcher<Move, void>(async (batch) => {
    await retryOnConflict(async () => {
      const { version, buckets } = await load();
      const affected = batch.flatMap(({ item: { before, now } }) => {
        const to = bucketIndexOf(buckets, now);
        const from = before ? bucketIndexOf(buckets, before) : undefined;
        return from === to ? [] : [to, from ?? to];
      });
      // A move within a bucket changes no count, but a concurrent count may have missed that person: the version grows.
      const changed = affected.length ? { buckets: await recountBuckets(buckets, new Set(affected)) } : {};
      const { matchedCount } = await Indexes.updateOne(
        { _id: allTime, version },
        { $set: { ...changed, version: version + 1 } },
      );
      return matchedCount ? true : undefined;
    });
    for (const { resolve } of batch) resolve();
  });

  return {
    async prepare(): Promise<void> {
      await load();
    },

    async apply({ name, data }: Event): Promise<void> {
      if (name === 'points.awarded.v1' || name === 'points.revoked.v1') {
        const { userId, points } = data;
        const { pointsBefore = points - (name === 'points.awarded.v1' ? data.awarded : 0) } = data;
        if (pointsBefore !== points)
          await move({ before: { userId, points: pointsBefore }, now: { userId, points } });
      }
      if (name === 'user.profile-changed.v1') {
        const { version, pointsBefore, user } = data;
        const { id: userId, points } = user;
        if (version > 1 && pointsBefore === undefined) return;
        const before = pointsBefore === undefined ? undefined : { userId, points: pointsBefore };
        await move({ before, now: { userId, points } });
      }
    },

    recount: (now: RankPosition): Promise<void> => move({ before: undefined, now }),

    async ranking(): Promise<Ranking> {
      const { buckets } = await load();
      let total = 0;
      const ends = buckets.map((bucket) => {
        total += bucket.count;
        return total;
      });
      return {
        total,

        async positionOf(userId) {
          const profile = await Profiles.findById(userId, { points: 1 }).lean();
          return { userId, points: profile?.points ?? 0 };
        },

        async countAhead(of) {
          const index = bucketIndexOf(buckets, of);
          return (ends[index - 1] ?? 0) + (await count(buckets[index] ?? first, of));
        },

        async positions(skip, limit) {
          const begin = ends.findIndex((end) => end > skip);
          const from = buckets[begin];
          if (!from) return [];
          const last = ends.findIndex((end) => end >= skip + limit);
          const to = last < 0 ? undefined : buckets[last + 1];
          const found = await profilesBetween(from, to)
            .skip(skip - (ends[begin - 1] ?? 0))
            .limit(limit);
          return found.map(({ _id: userId, points }) => ({ userId, points }));
        },
      };
    },
  };
}
