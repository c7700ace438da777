import { isDeepStrictEqual } from 'node:util';
import { Difficulty } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import type { ServiceKit } from '@wayquest/platform/service';
import { isWriteConflict, retryOnConflict } from '@wayquest/platform/store';
import { type Connection, type Model, type QueryFilter, Schema } from 'mongoose';
import { type ChallengeDocument, challengeModel, publicFilter } from './challenge.model.ts';
import { inPhase } from './filters.ts';
import { childTiles, maxLevel, minLevel, parentTile } from './tiles.ts';
import type { TimeZones } from './time-zones.ts';

/** A count of challenges on the map. */
export interface TileCount {
  count: number;
  /** The sums of their coordinates. */
  lng: number;
  lat: number;
  /** The newest one's id and city. */
  newest: number;
  city: string;
}

/** The sum of several. */
const merge = (counts: TileCount[]): TileCount =>
  counts.reduce((a, b) => {
    const { newest, city } = a.newest > b.newest ? a : b;
    return { count: a.count + b.count, lng: a.lng + b.lng, lat: a.lat + b.lat, newest, city };
  });

/** Counts the challenges that a filter finds, grouped by an expression. */
export async function countBy<Id>(
  Challenges: Model<ChallengeDocument>,
  filter: QueryFilter<ChallengeDocument>,
  id: unknown,
): Promise<(TileCount & { _id: Id })[]> {
  const coordinate = (index: number) => ({ $arrayElemAt: ['$location.coordinates', index] });
  const counted: (Omit<TileCount, 'city'> & { _id: Id })[] = await Challenges.aggregate([
    { $match: filter },
    {
      $group: {
        _id: id,
        count: { $sum: 1 },
        lng: { $sum: coordinate(0) },
        lat: { $sum: coordinate(1) },
        newest: { $max: '$_id' },
      },
    },
  ]);
  const newest = await Challenges.find(
    { _id: { $in: counted.map((tileCount) => tileCount.newest) } },
    { city: 1 },
  ).lean();
  const cities = new Map(newest.map(({ _id, city }) => [_id, city]));
  return counted.map((tileCount) => ({ ...tileCount, city: cities.get(tileCount.newest) ?? '' }));
}

/** Challenges are counted by what a map can filter by; `open`: whether they were open when counted. */
interface TileCountKey {
  difficulty: Difficulty;
  open: boolean;
}

type KeyedTileCount = TileCount & TileCountKey;

/** The counts of a tile of the map, computed from its challenges, or from the tile's four quarters. */
interface TileCountsDocument {
  /** The tile. */
  _id: string;
  version: number;
  /** One for each kind in the tile. */
  counts: KeyedTileCount[];
}

const tally = new Schema<KeyedTileCount>(
  {
    difficulty: { type: String, required: true },
    open: { type: Boolean, required: true },
    count: { type: Number, required: true },
    lng: { type: Number, required: true },
    lat: { type: Number, required: true },
    newest: { type: Number, required: true },
    city: String,
  },
  { _id: false },
);

const schema = new Schema<TileCountsDocument>({
  _id: { type: String, required: true },
  version: { type: Number, required: true },
  counts: [tally],
});
schema.set('shardKey', { _id: 'hashed' });

export const tileCountsModel = (connection: Connection) =>
  connection.model<TileCountsDocument>('TileCounts', schema, 'tile_counts');

type CountsByTile = Map<string, KeyedTileCount[]>;

/** How many tiles are counted in one batch. */
const batchSize = 500;

const kinds: TileCountKey[] = Difficulty.options.flatMap((difficulty) =>
  [true, false].map((open) => ({ difficulty, open })),
);

/** One count for each kind, always in the same order. */
const mergeByKind = (counts: KeyedTileCount[]): KeyedTileCount[] =>
  kinds.flatMap((kind) => {
    const ofKind = counts.filter(
      ({ difficulty, open }) => difficulty === kind.difficulty && open === kind.open,
    );
    return ofKind.length ? [{ ...kind, ...merge(ofKind) }] : [];
  });

/** Counts the challenges of tiles, level by level, into their documents. */
export function createTileRecount({
  clock,
  Tiles,
  Challenges,
  timeZones,
}: {
  clock: Clock;
  Tiles: Model<TileCountsDocument>;
  Challenges: Model<ChallengeDocument>;
  timeZones: TimeZones;
}) {
  const loadTiles = async (tiles: string[]) => {
    const found = await Tiles.find({ _id: { $in: tiles } }).lean();
    return new Map(found.map((tile) => [tile._id, tile]));
  };

  const countFromChallenges = async (tiles: string[]): Promise<CountsByTile> => {
    const counted: CountsByTile = new Map();
    const openFilter = inPhase('open', new Date(clock.now()), await timeZones.all());
    for (const open of [true, false]) {
      const counts = await countBy<{ tile: string; difficulty: Difficulty }>(
        Challenges,
        { tile: { $in: tiles }, ...publicFilter, $and: [open ? openFilter : { $nor: [openFilter] }] },
        { tile: '$tile', difficulty: '$difficulty' },
      );
      for (const { _id, ...tileCount } of counts) {
        const { tile, difficulty } = _id;
        counted.set(tile, [...(counted.get(tile) ?? []), { difficulty, open, ...tileCount }]);
      }
    }
    return counted;
  };

  const countFromChildTiles = async (tiles: string[]): Promise<CountsByTile> => {
    const quarters = await loadTiles(tiles.flatMap(childTiles));
    const countsIn = (tile: string) =>
      childTiles(tile).flatMap((quarter) => quarters.get(quarter)?.counts ?? []);
    return new Map(tiles.map((tile) => [tile, countsIn(tile)]));
  };

  /** Writes a tile's counts if its version is still the one read before counting. */
  const replaceCounts = (version: number | undefined, _id: string, counts: KeyedTileCount[]) =>
    version === undefined
      ? { insertOne: { document: { _id, version: 1, counts } } }
      : {
          updateOne: { filter: { _id, version }, update: { $set: { counts, version: version + 1 } } },
        };

  /** Returns how many of the writes found the version that they replace. */
  const write = async (writes: ReturnType<typeof replaceCounts>[]): Promise<number> => {
    try {
      const { insertedCount, modifiedCount } = await Tiles.bulkWrite(writes, { ordered: false });
      return insertedCount + modifiedCount;
    } catch (error) {
      if (isWriteConflict(error)) return 0;
      throw error;
    }
  };

  /**
   * Updates the counts of one level. Versions are read before counting: a successful write has counted everything that the
   * previous one had, and a conflicting one counts again.
   */
  const countLevel = (tiles: string[], count: (tiles: string[]) => Promise<CountsByTile>): Promise<true> =>
    retryOnConflict(async () => {
      const before = await loadTiles(tiles);
      const counted = await count(tiles);
      const writes = tiles.flatMap((tile) => {
        const { version, counts = [] } = before.get(tile) ?? {};
        const newCounts = mergeByKind(counted.get(tile) ?? []);
        return isDeepStrictEqual(newCounts, counts) ? [] : [replaceCounts(version, tile, newCounts)];
      });
      const isWritten = !writes.length || (await write(writes)) === writes.length;
      return isWritten || undefined;
    });

  /** From these tiles of the finest level up to the coarsest ones around them. */
  return async (finest: Iterable<string>): Promise<void> => {
    let tiles = [...new Set(finest)].sort();
    for (let level = maxLevel; level >= minLevel; level--) {
      const count = level === maxLevel ? countFromChallenges : countFromChildTiles;
      for (let from = 0; from < tiles.length; from += batchSize) {
        await countLevel(tiles.slice(from, from + batchSize), count);
      }
      tiles = [...new Set(tiles.map(parentTile))];
    }
  };
}

/**
 * The counts of challenges by tile, which a map reads instead of the challenges. They are always recomputed, never
 * incremented, so that duplicate and late events do no harm.
 */
export interface TileCounts {
  /**
   * Recounts a tile of the finest level and all tiles that contain it; resolves when the counts are stored. Calls that
   * arrive during a count are counted together.
   */
  recount(tile: string): Promise<void>;
  /** As `recount`, without batching. */
  count: (finest: Iterable<string>) => Promise<void>;
  /** The counts of tiles, of all kinds or of some; tiles without challenges are omitted. */
  read(tiles: string[], kind?: Partial<TileCountKey>): Promise<(TileCount & { tile: string })[]>;
}

/** Creates the counts of open challenges for each tile of the map. */
export function createTileCounts(
  { connection, clock }: Pick<ServiceKit, 'connection' | 'clock'>,
  timeZones: TimeZones,
): TileCounts {
  const Tiles = tileCountsModel(connection);
  const Challenges = challengeModel(connection);
  const count = createTileRecount({ clock, Tiles, Challenges, timeZones });

  let nextBatch: { tiles: Set<string>; counted: Promise<void> } | undefined;
  let lastRun: Promise<unknown> = Promise.resolve();

  return {
    recount(tile: string): Promise<void> {
      if (!nextBatch) {
        const tiles = new Set<string>();
        const counted = lastRun.then(() => {
          nextBatch = undefined;
          return count(tiles);
        });
        nextBatch = { tiles, counted };
        lastRun = counted.catch(() => {});
      }
      nextBatch.tiles.add(tile);
      return nextBatch.counted;
    },

    count,

    async read(tiles: string[], kind: Partial<TileCountKey> = {}): Promise<(TileCount & { tile: string })[]> {
      const { difficulty, open } = kind;
      const found = await Tiles.find({ _id: { $in: tiles } }).lean();
      return found.flatMap(({ _id, counts }) => {
        const matching = counts.filter(
          (tileCount) =>
            (difficulty === undefined || tileCount.difficulty === difficulty) &&
            (open === undefined || tileCount.open === open),
        );
        return matching.length ? [{ tile: _id, ...merge(matching) }] : [];
      });
    },
  };
}
