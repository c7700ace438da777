import { type ChallengeDetails, type Event, maxTowns, type Position } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { addOutbox, type WithOutbox, withEvents } from '@wayquest/platform/outbox';
import type { ServiceKit } from '@wayquest/platform/service';
import { isWriteConflict } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';
import type { Places } from './places.ts';

/** A challenge whose position, or only its town, was found and published, so that it is published once. */
interface LocatedChallengeDocument extends WithOutbox {
  /** The challenge's id. */
  _id: number;
  /** Missing if only its town was found. */
  position: Position | null;
}

const schema = new Schema<LocatedChallengeDocument>({
  _id: { type: Number, required: true },
  position: {
    type: new Schema(
      { lat: { type: Number, required: true }, lng: { type: Number, required: true } },
      { _id: false },
    ),
    default: null,
  },
});
addOutbox(schema);
schema.set('shardKey', { _id: 'hashed' });

const locatedChallengeModel = (connection: Connection) =>
  connection.model<LocatedChallengeDocument>('LocatedChallenge', schema, 'located_challenges');

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
