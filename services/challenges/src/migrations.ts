import { placeCategoryOf } from '@wayquest/contracts';
import { backfillTokens } from '@wayquest/platform/search';
import type { ServiceKit } from '@wayquest/platform/service';
import { dropCollection, dropIndex, type Migration, pagesById, renameFields } from '@wayquest/platform/store';
import type { Model } from 'mongoose';
import { type ChallengeDocument, challengeModel } from './challenge.model.ts';
import type { TileCounts } from './tile-counts.ts';
import { finestTileAt } from './tiles.ts';
import type { TimeZones } from './time-zones.ts';

// All but the counts of tiles are for stores of version 0.1.0. Removed with 0.3.0, which reads those of 0.2.0 only.

const batch = 1_000;

/** All challenges by id, with the requested fields. */
const pages = <F extends keyof ChallengeDocument>(
  Challenges: Model<ChallengeDocument>,
  fields: readonly F[],
): AsyncGenerator<Pick<ChallengeDocument, '_id' | F>[]> =>
  pagesById<Pick<ChallengeDocument, '_id' | F>>((after) =>
    Challenges.find(after)
      .select([...fields])
      .sort({ _id: 1 })
      .limit(batch)
      .lean(),
  );

/** Adds search tokens to challenges, or folds them again. */
export const searchTokens = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '001-search-tokens',
  run: () => backfillTokens(challengeModel(connection), ['name', 'locationName', 'city']),
});

/** In version 0.1.0 this document of `cells` recorded that the kinds of places were guessed. */
const markerId = 'scenes 2';

/**
 * Guesses the kinds of places of all challenges. When `placeCategoryOf` changes, another migration has to guess again, and to
 * keep what creators chose: see `chosenPlaceCategoryOf`.
 */
export const guessPlaceCategories = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '002-scenes',
  async run() {
    // Since then creators may have chosen others.
    if (await connection.collection<{ _id: string }>('cells').findOne({ _id: markerId })) return;
    const Challenges = challengeModel(connection);
    for await (const challenges of pages(Challenges, ['name', 'locationName', 'placeCategory'])) {
      const writes = challenges.flatMap(({ _id, name, locationName, placeCategory }) => {
        const guess = placeCategoryOf({ name, locationName });
        if (guess === placeCategory) return [];
        // A place category that was chosen meanwhile stays.
        return [
          {
            updateOne: {
              filter: { _id, placeCategory: placeCategory ?? null },
              update: { $set: { placeCategory: guess } },
            },
          },
        ];
      });
      if (writes.length) await Challenges.bulkWrite(writes);
    }
  },
});

/** The tiles of challenges, neighbors together, so that coarser tiles are counted rarely. */
async function* pagesOfTiles(Challenges: Model<ChallengeDocument>): AsyncGenerator<string[]> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const found: { tile?: string }[] = await Challenges.find({ tile: { $gt: after } }, { tile: 1 })
      .sort({ tile: 1 })
      .limit(batch)
      .lean();
    const tiles = found.flatMap(({ tile }) => tile ?? []);
    yield tiles;
    after = tiles.at(-1);
  }
}

/** Writes that store the tile of each challenge on the map. */
const tileWrites = (challenges: Pick<ChallengeDocument, '_id' | 'location'>[]) =>
  challenges.flatMap(({ _id, location }) => {
    const [lng, lat] = location?.coordinates ?? [];
    if (lng === undefined || lat === undefined) return [];
    return [{ updateOne: { filter: { _id }, update: { $set: { tile: finestTileAt({ lat, lng }) } } } }];
  });

/**
 * Stores all time zones and the tile of each challenge, and counts the challenges of all tiles. Version 0.1.0 stored tiles as
 * `cell`, and counts in `cells`, which are not moved but computed again.
 */
export const countTiles = (
  { connection }: Pick<ServiceKit, 'connection'>,
  { tileCounts, timeZones }: { tileCounts: TileCounts; timeZones: TimeZones },
): Migration => ({
  name: '003-tile-counts',
  async run() {
    const Challenges = challengeModel(connection);
    for (const timeZone of await Challenges.distinct('timeZone')) await timeZones.add(timeZone);
    await renameFields(connection, 'challenges', { cell: 'tile' });
    for await (const challenges of pages(Challenges, ['location'])) {
      const writes = tileWrites(challenges);
      if (writes.length) await Challenges.bulkWrite(writes);
    }
    for await (const tiles of pagesOfTiles(Challenges)) await tileCounts.count(tiles);
    await dropIndex(connection, 'challenges', 'cell_1');
    await dropCollection(connection, 'cells');
  },
});
