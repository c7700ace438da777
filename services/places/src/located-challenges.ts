import { type ChallengeDetails, type Event, maxTowns } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import type { ServiceKit } from '@wayquest/platform/service';
import { isWriteConflict, withEvents } from '@wayquest/platform/store';
import { type LocatedChallengeDocument, locatedChallengeModel } from './located-challenge.model.ts';
import type { Places } from './places.ts';

/** Locates challenges that were created without a position, or at least their towns. */
export interface LocatedChallenges {
  /** Publishes a challenge's possible towns and its position, each once, however often it is called. */
  locate(challenge: ChallengeDetails): Promise<void>;
}

/** Creates the handler that locates challenges. */
export function createLocatedChallenges(
  { connection, outboxes, clock }: ServiceKit,
  places: Places,
): LocatedChallenges {
  const Located = locatedChallengeModel(connection);
  const outbox = outboxes.forModel(Located);

  /** If another instance has already stored it, that instance publishes it. */
  const create = async (found: Pick<LocatedChallengeDocument, '_id' | 'position'>, event: Event) => {
    try {
      await outbox.create(found, [event]);
    } catch (error) {
      if (!isWriteConflict(error)) throw error;
    }
  };

  return {
    async locate(challenge: ChallengeDetails): Promise<void> {
      const { id: _id } = challenge;
      const known = await Located.findById(_id, { position: 1 }).lean();
      if (challenge.position || known?.position) return;
      const towns = known ? [] : (await places.townsOf(challenge)).slice(0, maxTowns);
      if (towns.length > 0)
        await create(
          { _id, position: null },
          newEvent('challenge.town-found.v1', { challengeId: _id, towns }, clock),
        );
      const position = await places.locate(challenge);
      if (!position) return;
      const located = newEvent('challenge.located.v1', { challengeId: _id, position }, clock);
      if (!known && towns.length === 0) return create({ _id, position }, located);
      const { modifiedCount } = await Located.updateOne(
        { _id, position: null },
        withEvents({ $set: { position } }, [located], clock),
      );
      if (modifiedCount) outbox.send(_id);
    },
  };
}
