import { isDeepStrictEqual } from 'node:util';
import { Difficulty } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/process';
import { isWriteConflict, retryOnConflict } from '@wayquest/platform/store';
import type { Model } from 'mongoose';
import { type ChallengeDocument, publicFilter } from './challenge.model.ts';
import { inPhase } from './filters.ts';
import { countBy, merge } from './tile-count.ts';
import type { KeyedTileCount, TileCountKey, TileCountsDocument } from './tile-counts.model.ts';
import { childTiles, maxLevel, minLevel, parentTile } from './tiles.ts';
import type { TimeZones } from './time-zones.ts';

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
