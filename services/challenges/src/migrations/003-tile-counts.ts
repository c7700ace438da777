import type { ServiceKit } from '@wayquest/platform/service';
import type { Migration } from '@wayquest/platform/store';
import type { Model } from 'mongoose';
import type { Cells } from '../cells.ts';
import { type ChallengeDocument, challengeModel } from '../challenge.model.ts';
import { finestTileAt } from '../tiles.ts';
import type { TimeZones } from '../time-zones.ts';
import { pages } from './pages.ts';

const batch = 1_000;

/** The tiles of challenges, neighbors together, so that coarser tiles are counted rarely. */
async function* pagesOfTiles(Challenges: Model<ChallengeDocument>): AsyncGenerator<string[]> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const found: { cell?: string }[] = await Challenges.find({ cell: { $gt: after } }, { cell: 1 })
      .sort({ cell: 1 })
      .limit(batch)
      .lean();
    const tiles = found.flatMap(({ cell }) => cell ?? []);
    yield tiles;
    after = tiles.at(-1);
  }
}

/** Writes that store the tile of each challenge on the map. */
const placings = (challenges: Pick<ChallengeDocument, '_id' | 'location'>[]) =>
  challenges.flatMap(({ _id, location }) => {
    const [lng, lat] = location?.coordinates ?? [];
    if (lng === undefined || lat === undefined) return [];
    return [{ updateOne: { filter: { _id }, update: { $set: { cell: finestTileAt({ lat, lng }) } } } }];
  });

/** Stores all time zones and the tile of each challenge, and counts the challenges of all tiles. */
export const tileCounts = (
  { connection }: Pick<ServiceKit, 'connection'>,
  { cells, timeZones }: { cells: Cells; timeZones: TimeZones },
): Migration => ({
  name: '003-tile-counts',
  async run() {
    const Challenges = challengeModel(connection);
    for (const timeZone of await Challenges.distinct('timeZone')) await timeZones.keep(timeZone);
    for await (const challenges of pages(Challenges, ['location'])) {
      const writes = placings(challenges);
      if (writes.length) await Challenges.bulkWrite(writes);
    }
    for await (const tiles of pagesOfTiles(Challenges)) await cells.count(tiles);
  },
});
