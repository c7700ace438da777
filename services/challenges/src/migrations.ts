import { sceneOf } from '@wayquest/contracts';
import type { ServiceKit } from '@wayquest/platform/service';
import { backfillField, backfillTokens, upsert } from '@wayquest/platform/store';
import type { Model } from 'mongoose';
import { cellModel } from './cell.model.ts';
import type { Cells } from './cells.ts';
import { type ChallengeDocument, challengeModel } from './challenge.model.ts';
import { finestTileAt } from './tiles.ts';
import type { TimeZones } from './time-zones.ts';

/** The fields that tiles are computed from. */
type Kept = Pick<ChallengeDocument, '_id' | 'location'>;

/** Id of the document that marks the first count as done; no tile has it. */
const complete = 'complete';

/**
 * Id of the document that marks the version of the guess of kinds of places. A new version gets another number, and has to
 * keep what creators chose since then: see `toldOf`.
 */
const guess = 'scenes 2';

const batch = 1_000;

/** All challenges by id, with the requested fields. */
async function* pages<F extends keyof ChallengeDocument>(
  Challenges: Model<ChallengeDocument>,
  fields: readonly F[],
): AsyncGenerator<Pick<ChallengeDocument, '_id' | F>[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const found: Pick<ChallengeDocument, '_id' | F>[] = await Challenges.find({ _id: { $gt: after } })
      .select([...fields])
      .sort({ _id: 1 })
      .limit(batch)
      .lean();
    yield found;
    after = found.at(-1)?._id;
  }
}

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

/** Backfills the tile of challenges on the map. */
const placings = (challenges: Kept[]) =>
  challenges.flatMap(({ _id, location }) => {
    const [lng, lat] = location?.coordinates ?? [];
    if (lng === undefined || lat === undefined) return [];
    return [{ updateOne: { filter: { _id }, update: { $set: { cell: finestTileAt({ lat, lng }) } } } }];
  });

/** Guesses kinds of places again. Concurrent changes guess in the same way. */
async function guessAnew(Challenges: Model<ChallengeDocument>): Promise<void> {
  for await (const challenges of pages(Challenges, ['name', 'locationName', 'scene'])) {
    const writes = challenges.flatMap(({ _id, name, locationName, scene }) => {
      const guessed = sceneOf({ name, locationName });
      if (guessed === scene) return [];
      return [{ updateOne: { filter: { _id, scene }, update: { $set: { scene: guessed } } } }];
    });
    if (writes.length) await Challenges.bulkWrite(writes);
  }
}

/**
 * Backfills what new challenges have. Tokens and kinds of places wherever they are missing, since an older instance may still
 * create some; kinds guessed by an older version, tiles, their counts and time zones once for each store, and again
 * after `cells` is dropped.
 */
export async function migrate({
  kit: { connection },
  cells,
  timeZones,
}: {
  kit: Pick<ServiceKit, 'connection'>;
  cells: Cells;
  timeZones: TimeZones;
}): Promise<void> {
  const Challenges = challengeModel(connection);
  const Cells = cellModel(connection);
  await backfillTokens(Challenges, ['name', 'locationName', 'city']);
  await backfillField(Challenges, 'scene', ['name', 'locationName'], sceneOf);
  const done = { $setOnInsert: { version: 1, tallies: [] } };
  if (!(await Cells.exists({ _id: guess }))) {
    await guessAnew(Challenges);
    await upsert(Cells, { _id: guess }, done);
  }
  if (await Cells.exists({ _id: complete })) return;
  for (const timeZone of await Challenges.distinct('timeZone')) await timeZones.keep(timeZone);
  for await (const challenges of pages(Challenges, ['location'])) {
    const writes = placings(challenges);
    if (writes.length) await Challenges.bulkWrite(writes);
  }
  for await (const tiles of pagesOfTiles(Challenges)) await cells.count(tiles);
  await upsert(Cells, { _id: complete }, done);
}
