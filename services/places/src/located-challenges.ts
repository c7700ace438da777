import type { ChallengeDetails } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import type { ServiceKit } from '@wayquest/platform/service';
import { lostTheRace } from '@wayquest/platform/store';
import { locatedChallengeModel } from './located-challenge.model.ts';
import type { Places } from './places.ts';

/** Finds the places of challenges that were made without a position. */
export function createLocatedChallenges({ connection, outboxes, clock }: ServiceKit, places: Places) {
  const Located = locatedChallengeModel(connection);
  const outbox = outboxes.of(Located);
  return {
    /** Tells where it is, once, however often it is asked. */
    async locate(challenge: ChallengeDetails): Promise<void> {
      if (challenge.position || (await Located.exists({ _id: challenge.id }))) return;
      const position = await places.locate(challenge);
      if (!position) return;
      const located = [newEvent('challenge.located.v1', { challengeId: challenge.id, position }, clock)];
      try {
        await outbox.create({ _id: challenge.id, position }, located);
      } catch (error) {
        if (lostTheRace(error)) return;
        throw error;
      }
    },
  };
}

export type LocatedChallenges = ReturnType<typeof createLocatedChallenges>;
