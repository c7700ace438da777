import { isDeepStrictEqual } from 'node:util';
import { Difficulty } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/process';
import { isWriteConflict, retryOnConflict } from '@wayquest/platform/store';
import type { Model } from 'mongoose';
import type { CellDocument, Kind, TallyOfKind } from './cell.model.ts';
import { type ChallengeDocument, live } from './challenge.model.ts';
import { inPhase } from './filters.ts';
import { countBy, merge } from './tile-count.ts';
import { coarsestLevel, finestLevel, quartersOf, tileAround } from './tiles.ts';
import type { TimeZones } from './time-zones.ts';

type Counted = Map<string, TallyOfKind[]>;

/** How many tiles are counted in one batch. */
const atOnce = 500;

const kinds: Kind[] = Difficulty.options.flatMap((difficulty) =>
  [true, false].map((open) => ({ difficulty, open })),
);

/** One count for each kind, always in the same order. */
const byKind = (tallies: TallyOfKind[]): TallyOfKind[] =>
  kinds.flatMap((kind) => {
    const own = tallies.filter(
      ({ difficulty, open }) => difficulty === kind.difficulty && open === kind.open,
    );
    return own.length ? [{ ...kind, ...merge(own) }] : [];
  });

/** Counts the challenges of tiles, level by level, into their cells. */
export function createCounting({
  clock,
  Cells,
  Challenges,
  timeZones,
}: {
  clock: Clock;
  Cells: Model<CellDocument>;
  Challenges: Model<ChallengeDocument>;
  timeZones: TimeZones;
}) {
  const cellsOf = async (tiles: string[]) => {
    const found = await Cells.find({ _id: { $in: tiles } }).lean();
    return new Map(found.map((cell) => [cell._id, cell]));
  };

  const fromChallenges = async (tiles: string[]): Promise<Counted> => {
    const counted: Counted = new Map();
    const areOpen = inPhase('open', new Date(clock.now()), await timeZones.all());
    for (const open of [true, false]) {
      const tallies = await countBy<{ cell: string; difficulty: Difficulty }>(
        Challenges,
        { cell: { $in: tiles }, ...live, $and: [open ? areOpen : { $nor: [areOpen] }] },
        { cell: '$cell', difficulty: '$difficulty' },
      );
      for (const { _id, ...tally } of tallies) {
        const { cell, difficulty } = _id;
        counted.set(cell, [...(counted.get(cell) ?? []), { difficulty, open, ...tally }]);
      }
    }
    return counted;
  };

  const fromQuarters = async (tiles: string[]): Promise<Counted> => {
    const cells = await cellsOf(tiles.flatMap(quartersOf));
    const talliesIn = (tile: string) =>
      quartersOf(tile).flatMap((quarter) => cells.get(quarter)?.tallies ?? []);
    return new Map(tiles.map((tile) => [tile, talliesIn(tile)]));
  };

  /** Writes a tile's counts if its version is still the one read before counting. */
  const writeOver = (version: number | undefined, _id: string, tallies: TallyOfKind[]) =>
    version === undefined
      ? { insertOne: { document: { _id, version: 1, tallies } } }
      : {
          updateOne: { filter: { _id, version }, update: { $set: { tallies, version: version + 1 } } },
        };

  /** Returns how many of the writes found the version that they replace. */
  const write = async (writes: ReturnType<typeof writeOver>[]): Promise<number> => {
    try {
      const { insertedCount, modifiedCount } = await Cells.bulkWrite(writes, { ordered: false });
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
      const before = await cellsOf(tiles);
      const counted = await count(tiles);
      const writes = tiles.flatMap((tile) => {
        const { version, tallies = [] } = before.get(tile) ?? {};
        const now = byKind(counted.get(tile) ?? []);
        return isDeepStrictEqual(now, tallies) ? [] : [writeOver(version, tile, now)];
      });
      const isWritten = !writes.length || (await write(writes)) === writes.length;
      return isWritten || undefined;
    });

  /** From these tiles of the finest level up to the coarsest ones around them. */
  return async (finest: Iterable<string>): Promise<void> => {
    let tiles = [...new Set(finest)].sort();
    for (let level = finestLevel; level >= coarsestLevel; level--) {
      const count = level === finestLevel ? fromChallenges : fromQuarters;
      for (let from = 0; from < tiles.length; from += atOnce) {
        await countLevel(tiles.slice(from, from + atOnce), count);
      }
      tiles = [...new Set(tiles.map(tileAround))];
    }
  };
}
