import { sceneOf } from '@wayquest/contracts';
import type { ServiceKit } from '@wayquest/platform/service';
import type { Migration } from '@wayquest/platform/store';
import { challengeModel } from '../challenge.model.ts';
import { pages } from './pages.ts';

/** In version 0.1.0 this document of `cells` recorded that the kinds of places were guessed. */
const guessed = 'scenes 2';

/**
 * Guesses the kinds of places of all challenges. When `sceneOf` changes, another migration has to guess again, and to
 * keep what creators chose: see `chosenSceneOf`.
 */
export const guessScenes = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '002-scenes',
  async run() {
    // Since then creators may have chosen others.
    if (await connection.collection<{ _id: string }>('cells').findOne({ _id: guessed })) return;
    const Challenges = challengeModel(connection);
    for await (const challenges of pages(Challenges, ['name', 'locationName', 'scene'])) {
      const writes = challenges.flatMap(({ _id, name, locationName, scene }) => {
        const guess = sceneOf({ name, locationName });
        if (guess === scene) return [];
        // A scene that was chosen meanwhile stays.
        return [{ updateOne: { filter: { _id, scene: scene ?? null }, update: { $set: { scene: guess } } } }];
      });
      if (writes.length) await Challenges.bulkWrite(writes);
    }
  },
});
