import { isDeepStrictEqual } from 'node:util';
import { Difficulty } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/process';
import { isWriteConflict, retryOnConflict } from '@wayquest/platform/store';
import type { Model } from 'mongoose';
import { type ChallengeDocument, live } from './challenge.model.ts';
import { inPhase } from './filters.ts';
import { countBy, merge } from './tile-count.ts';
import type { CountOfKind, Kind, TileCountsDocument } from './tile-counts.model.ts';
import { childTiles, coarsestLevel, finestLevel, tileAround } from './tiles.ts';
import type { TimeZones } from './time-zones.ts';

type Counted = Map<string, CountOfKind[]>;

/** How many tiles are counted in one batch. */
const batchSize = 500;

const kinds: Kind[] = Difficulty.options.flatMap((difficulty) =>
  [true, false].map((open) => ({ difficulty, open })),
);

/** One count for each kind, always in the same order. */
const byKind = (counts: CountOfKind[]): CountOfKind[] =>
  kinds.flatMap((kind) => {
    const own = counts.filter(({ difficulty, open }) => difficulty === kind.difficulty && open === kind.open);
    return own.length ? [{ ...kind, ...merge(own) }] : [];
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
  const stored = async (tiles: string[]) => {
    const found = await Tiles.find({ _id: { $in: tiles } }).lean();
    return new Map(found.map((tile) => [tile._id, tile]));
  };

  const fromChallenges = async (tiles: string[]): Promise<Counted> => {
    const counted: Counted = new Map();
    const areOpen = inPhase('open', new Date(clock.now()), await timeZones.all());
    for (const open of [true, false]) {
      const counts = await countBy<{ tile: string; difficulty: Difficulty }>(
        Challenges,
        { tile: { $in: tiles }, ...live, $and: [open ? areOpen : { $nor: [areOpen] }] },
        { tile: '$tile', difficulty: '$difficulty' },
      );
      for (const { _id, ...tally } of counts) {
        const { tile, difficulty } = _id;
        counted.set(tile, [...(counted.get(tile) ?? []), { difficulty, open, ...tally }]);
      }
    }
    return counted;
  };

  const fromQuarters = async (tiles: string[]): Promise<Counted> => {
    const quarters = await stored(tiles.flatMap(childTiles));
    const countsIn = (tile: string) =>
      childTiles(tile).flatMap((quarter) => quarters.get(quarter)?.counts ?? []);
    return new Map(tiles.map((tile) => [tile, countsIn(tile)]));
  };

  /** Writes a tile's counts if its version is still the one read before counting. */
  const replaceCounts = (version: number | undefined, _id: string, counts: CountOfKind[]) =>
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
  const countLevel = (tiles: string[], count: (tiles: string[]) => Promise<Counted>): Promise<true> =>
    retryOnConflict(async () => {
      const before = await stored(tiles);
      const counted = await count(tiles);
      const writes = tiles.flatMap((tile) => {
        const { version, counts = [] } = before.get(tile) ?? {};
        const now = byKind(counted.get(tile) ?? []);
        return isDeepStrictEqual(now, counts) ? [] : [replaceCounts(version, tile, now)];
      });
      const isWritten = !writes.length || (await write(writes)) === writes.length;
      return isWritten || undefined;
    });

  /** From these tiles of the finest level up to the coarsest ones around them. */
  return async (finest: Iterable<string>): Promise<void> => {
    let tiles = [...new Set(finest)].sort();
    for (let level = finestLevel; level >= coarsestLevel; level--) {
      const count = level === finestLevel ? fromChallenges : fromQuarters;
      for (let from = 0; from < tiles.length; from += batchSize) {
        await countLevel(tiles.slice(from, from + batchSize), count);
      }
      tiles = [...new Set(tiles.map(tileAround))];
    }
  };
}
