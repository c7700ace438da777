import { createKeyedBatcher } from '@wayquest/platform/async';
import type { ServiceKit } from '@wayquest/platform/service';
import { retryOnConflict, upsert } from '@wayquest/platform/store';
import { type Connection, type Model, type QueryFilter, Schema } from 'mongoose';

/** A position in a ranking: by points, then by points with a check-in (both descending), then by user id. */
export interface RankPosition {
  points: number;
  /** Points of completions with a check-in; not used by the all-time ranking. */
  checkedIn?: number | null;
  userId: number;
}

/** A bucket of a ranking: how many people are ranked from this position on, up to the next bucket. */
interface RankBucket extends RankPosition {
  count: number;
}

/** A ranking as consecutive buckets; there is always at least one. */
export interface RankingIndexDocument {
  /** The board's id. */
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
          checkedIn: Number,
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

type RankKey = keyof RankPosition;

/** What a store compares a key with: a value, or whole numbers with their ends. */
type RankConditions = Partial<Record<RankKey, number | null | { $gte: number; $lte: number }>>;

/** Whole numbers with their ends. */
type Span = readonly [min: number, max: number];

/** A range of a ranking's index. */
type RankRange = Partial<Record<RankKey, Span>>;

/** From one position up to another, or to the end. */
interface RankSection {
  from: RankPosition;
  to?: RankPosition | undefined;
}

/** One ranking: how to count and to read a section of it. */
export interface Board {
  /** Id of its index. */
  id: string;
  count(section: RankSection): Promise<number>;
  page(section: RankSection, skip: number, limit: number): Promise<RankPosition[]>;
  all(section: RankSection): AsyncIterable<RankPosition>;
}

/** How documents of a collection are ranked. */
export interface BoardOptions<T> {
  id: string;
  model: Model<T>;
  /** What positions are ordered by. */
  keys: readonly RankKey[];
  /** How no points are stored; people without any are not ranked if undefined. */
  noPoints: 0 | null | undefined;
  /** The board's documents that satisfy conditions. */
  filterOf(conditions: RankConditions): QueryFilter<T>;
  /** The fields of a position, which the index contains. */
  fields: Record<string, 0 | 1>;
  /** The order of the index. */
  order: Record<string, 1 | -1>;
  positionOf(stored: T): RankPosition;
}

/** A larger bucket is split. */
const maxBucketSize = 1_000;
/** Size of the buckets that it is split into, and up to which two neighbors are merged. */
const bucketSize = 500;

/** More than anybody's points or id. */
const largest = Number.MAX_SAFE_INTEGER;

const first: RankPosition = { points: largest, userId: 0 };

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

/** The whole numbers between two. No points are apart, since they may be stored as null, and since very many have none. */
const spansBetween = (low: number, high: number): Span[] => {
  const spans: Span[] =
    low < 0
      ? [
          [0, Math.min(0, high - 1)],
          [1, high - 1],
        ]
      : [[low + 1, high - 1]];
  return spans.filter(([min, max]) => min <= max);
};

/** The ranges of an index from one position up to another, by its keys. */
function rangesBetween(
  [key, ...rest]: readonly RankKey[],
  from: RankPosition | undefined,
  to: RankPosition | undefined,
): RankRange[] {
  if (!key || key === 'userId') return [{ userId: [from?.userId ?? 0, (to?.userId ?? largest) - 1] }];
  const high = from ? (from[key] ?? 0) : largest;
  const low = to ? (to[key] ?? 0) : -1;
  const withKey = (value: number, ranges: RankRange[]): RankRange[] =>
    ranges.map((range) => ({ [key]: [value, value], ...range }));
  if (from && to && high === low) return withKey(high, rangesBetween(rest, from, to));
  return [
    ...(from ? withKey(high, rangesBetween(rest, from, undefined)) : []),
    ...spansBetween(low, high).map((span): RankRange => ({ [key]: span })),
    ...(to ? withKey(low, rangesBetween(rest, undefined, to)) : []),
  ];
}

/** Creates a board of a collection's documents. */
export function createBoard<T>({
  id,
  model,
  keys,
  noPoints,
  filterOf,
  fields,
  order,
  positionOf,
}: BoardOptions<T>): Board {
  const conditionOf = ([min, max]: Span, none: 0 | null | undefined) => {
    if (min !== max) return { $gte: min, $lte: max };
    return min === 0 && none !== undefined ? none : min;
  };

  const filtersOf = ({ from, to }: RankSection) =>
    rangesBetween(keys, from, to).flatMap(({ points, checkedIn, userId }) =>
      points?.[1] === 0 && noPoints === undefined
        ? []
        : filterOf({
            ...(points && { points: conditionOf(points, noPoints) }),
            ...(checkedIn && { checkedIn: conditionOf(checkedIn, null) }),
            ...(userId && { userId: conditionOf(userId, 0) }),
          }),
    );

  const find = (section: RankSection) =>
    model.find().or(filtersOf(section)).select(fields).sort(order).lean<T[]>();

  return {
    id,
    async count(section) {
      return model.countDocuments().or(filtersOf(section));
    },
    async page(section, skip, limit) {
      return (await find(section).skip(skip).limit(limit)).map(positionOf);
    },
    async *all(section) {
      for await (const stored of find(section).cursor()) yield positionOf(stored);
    },
  };
}

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

/** Splits a section of a ranking into buckets by reading it. */
async function split(board: Board, section: RankSection): Promise<RankBucket[]> {
  let bucket = { ...section.from, count: 0 };
  const buckets = [bucket];
  for await (const position of board.all(section)) {
    if (bucket.count === bucketSize) {
      bucket = { ...position, count: 0 };
      buckets.push(bucket);
    }
    bucket.count += 1;
  }
  return buckets;
}

/** Recounts buckets, and splits those that are too large. */
async function recountBuckets(
  board: Board,
  buckets: RankBucket[],
  indexes: Set<number>,
): Promise<RankBucket[]> {
  const parts = buckets.map(async (bucket, index) => {
    if (!indexes.has(index)) return bucket;
    const section = { from: bucket, to: buckets[index + 1] };
    const count = await board.count(section);
    return count > maxBucketSize ? split(board, section) : { ...bucket, count };
  });
  return mergeSmallBuckets((await Promise.all(parts)).flat());
}

/** Positions at which a board has to be counted again. */
interface Recount {
  board: Board;
  positions: RankPosition[];
}

/**
 * Rankings as counts of buckets: a position is found within one of them, however many people there are. Buckets are always
 * recounted, never incremented, so that counting twice or late does no harm (ADR 15).
 */
export interface RankingIndexes {
  /** Creates a board's index in a store that has none. */
  prepare(board: Board): Promise<void>;
  /** Recounts the buckets of positions that somebody has left or entered. */
  recount(board: Board, positions: RankPosition[]): Promise<void>;
  /** A board's ranking; `positionOf` reads a person's position from the store. */
  ranking(board: Board, positionOf: Ranking['positionOf']): Promise<Ranking>;
}

/** Creates the indexes of how many people are ranked where, from which ranks are computed. */
export function createRankingIndexes({ connection }: Pick<ServiceKit, 'connection'>): RankingIndexes {
  const Indexes = rankingIndexModel(connection);

  /** Loads an index; creates it from what is stored if there is none. */
  const load = async (board: Board): Promise<RankingIndexDocument> => {
    const { id } = board;
    const index = await Indexes.findById(id).lean();
    if (index) return index;
    const buckets = mergeSmallBuckets(await split(board, { from: first }));
    await upsert(Indexes, { _id: id }, { $setOnInsert: { version: 1, buckets } });
    return Indexes.findById(id).lean().orFail();
  };

  /**
   * Counts what is stored already. The version is read before counting, so a concurrent writer conflicts and counts again. A
   * bucket is also counted if somebody only moved within it, since a concurrent count may have missed them.
   */
  const recount = createKeyedBatcher<string, Recount, void>(async (batch) => {
    const [oldest] = batch;
    if (!oldest) return;
    const { board } = oldest.item;
    const positions = batch.flatMap(({ item }) => item.positions);
    await retryOnConflict(async () => {
      const { version, buckets } = await load(board);
      const affected = new Set(positions.map((position) => bucketIndexOf(buckets, position)));
      const { matchedCount } = await Indexes.updateOne(
        { _id: board.id, version },
        { $set: { buckets: await recountBuckets(board, buckets, affected), version: version + 1 } },
      );
      return matchedCount ? true : undefined;
    });
    for (const { resolve } of batch) resolve();
  });

  return {
    async prepare(board): Promise<void> {
      await load(board);
    },

    recount: (board, positions): Promise<void> => recount(board.id, { board, positions }),

    async ranking(board, positionOf): Promise<Ranking> {
      const { buckets } = await load(board);
      let total = 0;
      const ends = buckets.map((bucket) => {
        total += bucket.count;
        return total;
      });
      return {
        total,
        positionOf,

        async countAhead(of) {
          const index = bucketIndexOf(buckets, of);
          return (ends[index - 1] ?? 0) + (await board.count({ from: buckets[index] ?? first, to: of }));
        },

        async positions(skip, limit) {
          const begin = ends.findIndex((end) => end > skip);
          const from = buckets[begin];
          if (!from) return [];
          const last = ends.findIndex((end) => end >= skip + limit);
          const to = last < 0 ? undefined : buckets[last + 1];
          return board.page({ from, to }, skip - (ends[begin - 1] ?? 0), limit);
        },
      };
    },
  };
}
