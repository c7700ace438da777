import type { ServiceKit } from '@wayquest/platform';
import type { Model } from 'mongoose';
import { cellModel } from './cell.model.ts';
import type { Cells } from './cells.ts';
import { type ChallengeDocument, challengeModel } from './challenge.model.ts';
import { finestTileAt } from './tiles.ts';
import type { TimeZones } from './time-zones.ts';
import { wordsOf } from './words.ts';

type Kept = Pick<ChallengeDocument, '_id' | 'name' | 'locationName' | 'city' | 'location'>;

/** The cell that says that all of this has been done; no tile is called so. Another name where more is to be done. */
const complete = 'complete, with words';

const batch = 1_000;

async function* pages(Challenges: Model<ChallengeDocument>): AsyncGenerator<Kept[]> {
  const fields = { name: 1, locationName: 1, city: 1, location: 1 };
  for (let after: number | undefined = 0; after !== undefined; ) {
    const found: Kept[] = await Challenges.find({ _id: { $gt: after } }, fields)
      .sort({ _id: 1 })
      .limit(batch)
      .lean();
    yield found;
    after = found.at(-1)?._id;
  }
}

/** The tiles that challenges lie in, neighbours together, so that what is around them is counted seldom. */
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

/** What gives challenges their words, and those on the map their tile. */
const completions = (challenges: Kept[]) =>
  challenges.map(({ _id, location, ...texts }) => {
    const [lng, lat] = location?.coordinates ?? [];
    const cell = lng === undefined || lat === undefined ? {} : { cell: finestTileAt({ lat, lng }) };
    return { updateOne: { filter: { _id }, update: { $set: { words: wordsOf(texts), ...cell } } } };
  });

/**
 * Keeps of the challenges in a store what is kept of new ones as they come: their words, their tiles, the counts of those,
 * and their time zones. Once in the life of a store, and again if its cells are dropped; several instances may do it at once.
 */
export async function prepareStore(
  { connection }: Pick<ServiceKit, 'connection'>,
  cells: Cells,
  timeZones: TimeZones,
): Promise<void> {
  const Challenges = challengeModel(connection);
  const Cells = cellModel(connection);
  if (await Cells.exists({ _id: complete })) return;
  for (const timeZone of await Challenges.distinct('timeZone')) await timeZones.keep(timeZone);
  for await (const challenges of pages(Challenges)) {
    if (challenges.length) await Challenges.bulkWrite(completions(challenges));
  }
  for await (const tiles of pagesOfTiles(Challenges)) await cells.count(tiles);
  const done = { $setOnInsert: { version: 1, tallies: [] } };
  await Cells.updateOne({ _id: complete }, done, { upsert: true });
}
