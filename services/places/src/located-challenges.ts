import type { ChallengeDetails } from '@wayquest/contracts';
import { lostTheRace, newEvent, outboxOf, type ServiceKit } from '@wayquest/platform';
import { locatedChallengeModel } from './located-challenge.model.ts';
import type { Places } from './places.ts';

/** Finds the places of challenges that were made without a position. */
export function createLocatedChallenges({ connection, outbox }: ServiceKit, places: Places) {
  const Located = locatedChallengeModel(connection);
  return {
    /** Tells where it is, once, however often it is asked. */
    async locate(challenge: ChallengeDetails): Promise<void> {
      if (challenge.position || (await Located.exists({ _id: challenge.id }))) return;
      const position = await places.locate(challenge);
      if (!position) return;
      const located = [newEvent('challenge.located.v1', { challengeId: challenge.id, position })];
      try {
        await Located.create({ _id: challenge.id, position, ...outboxOf(located) });
      } catch (error) {
        if (lostTheRace(error)) return;
        throw error;
      }
      outbox.send(Located, challenge.id, located);
    },
  };
}

export type LocatedChallenges = ReturnType<typeof createLocatedChallenges>;
