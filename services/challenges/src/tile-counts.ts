import type { ServiceKit } from '@wayquest/platform/service';
import { challengeModel } from './challenge.model.ts';
import { createTileRecount } from './recount-tiles.ts';
import { merge, type TileCount } from './tile-count.ts';
import { type TileCountKey, tileCountsModel } from './tile-counts.model.ts';
import type { TimeZones } from './time-zones.ts';

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
