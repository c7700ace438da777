import { placeCategoryOf } from '@wayquest/contracts';
import type { ServiceKit } from '@wayquest/platform/service';
import type { Migration } from '@wayquest/platform/store';
import { challengeModel } from '../challenge.model.ts';
import { pages } from './pages.ts';

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
