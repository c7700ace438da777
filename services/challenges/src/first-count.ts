import type { Model } from 'mongoose';
import type { CellDocument } from './cell.model.ts';
import type { ChallengeDocument } from './challenge.model.ts';
import { finestTileAt } from './tiles.ts';

type Placed = Pick<ChallengeDocument, '_id' | 'location'>;

/** The cell that says that all challenges have been counted; no tile is called so. */
const complete = 'complete';

const batch = 1_000;

async function* pages(Challenges: Model<ChallengeDocument>): AsyncGenerator<Placed[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const found: Placed[] = await Challenges.find({ _id: { $gt: after } }, { location: 1 })
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

/** What gives challenges on the map their tile. */
const placings = (challenges: Placed[]) =>
  challenges.flatMap(({ _id, location }) => {
    const [lng, lat] = location?.coordinates ?? [];
    if (lng === undefined || lat === undefined) return [];
    return [{ updateOne: { filter: { _id }, update: { $set: { cell: finestTileAt({ lat, lng }) } } } }];
  });

/** Counts all challenges where that was not done before; it may be done twice, or by several at once. */
export async function countAtFirst(
  Cells: Model<CellDocument>,
  Challenges: Model<ChallengeDocument>,
  count: (tiles: string[]) => Promise<void>,
): Promise<void> {
  if (await Cells.exists({ _id: complete })) return;
  for await (const challenges of pages(Challenges)) {
    const writes = placings(challenges);
    if (writes.length) await Challenges.bulkWrite(writes);
  }
  for await (const tiles of pagesOfTiles(Challenges)) await count(tiles);
  const done = { $setOnInsert: { version: 1, tallies: [] } };
  await Cells.updateOne({ _id: complete }, done, { upsert: true });
}
