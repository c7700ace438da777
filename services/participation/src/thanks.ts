import type { EventData } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { addOutbox, type WithOutbox } from '@wayquest/platform/outbox';
import type { ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';
import { participationModel, type StoredParticipation } from './participation.model.ts';

/** One person's thanks for the completion of another. */
export interface ThanksDocument extends WithOutbox {
  /** `<participation>:<user>`: at most one of each. */
  _id: string;
  participationId: number;
  challengeId: number;
  /** Whose completion it is. */
  ownerId: number;
  /** Who thanks. */
  userId: number;
  at: Date;
}

const schema = new Schema<ThanksDocument>({
  _id: { type: String, required: true },
  participationId: { type: Number, required: true },
  challengeId: { type: Number, required: true },
  ownerId: { type: Number, required: true },
  userId: { type: Number, required: true },
  at: { type: Date, required: true },
});
addOutbox(schema);
schema.set('shardKey', { _id: 'hashed' });
schema.index({ participationId: 1 });
schema.index({ challengeId: 1 });
schema.index({ ownerId: 1, userId: 1 });
schema.index({ userId: 1, _id: 1 });

export const thanksModel = (connection: Connection) =>
  connection.model<ThanksDocument>('Thanks', schema, 'thanks');

const thanksId = (participationId: number, userId: number): string => `${participationId}:${userId}`;

/** Thanks for completions. Their number is stored with the participation, so that lists need not count. */
export interface Thanks {
  /** Those of some participations that a user has thanked for. One store command. */
  thankedBy(userId: number, participationIds: number[]): Promise<Set<number>>;
  /** Publishes an event, unless the user has thanked for it already. */
  thank(userId: number, participation: StoredParticipation): Promise<void>;
  withdraw(userId: number, participationId: number): Promise<void>;
  /** Removes what two people thanked each other for: neither sees the other any more. */
  removeBetween(block: Pick<EventData<'user.blocked.v1'>, 'userId' | 'blockedId'>): Promise<void>;
  removeOfParticipation(participationId: number): Promise<void>;
  removeOfChallenge(challengeId: number): Promise<void>;
  /** Removes the thanks that a user gave and got. */
  erase(userId: number): Promise<void>;
}

/** Creates the store of thanks. */
export function createThanks({
  connection,
  clock,
  outboxes,
}: Pick<ServiceKit, 'connection' | 'clock' | 'outboxes'>): Thanks {
  const Thanks = thanksModel(connection);
  const Participations = participationModel(connection);

  /** Counts again, and repeats until the stored number is stable. */
  const recount = async (participationId: number): Promise<void> => {
    for (;;) {
      const thanks = await Thanks.countDocuments({ participationId });
      const { modifiedCount } = await Participations.updateOne(
        { _id: participationId, deletedAt: null, thanks: { $ne: thanks } },
        { $set: { thanks } },
      );
      if (!modifiedCount) return;
    }
  };
  const outbox = outboxes.forModel(Thanks, {
    // Together with the event, so that a crash in between leaves no wrong number.
    onRelay: async ({ name, data }) => {
      if (name === 'completion.thanked.v1') await recount(data.participationId);
    },
  });

  const remove = async (filter: { userId: number; ownerId?: number }): Promise<void> => {
    const participationIds = await Thanks.distinct('participationId', filter);
    await Thanks.deleteMany(filter);
    for (const id of participationIds) await recount(id);
  };

  return {
    async thankedBy(userId: number, participationIds: number[]): Promise<Set<number>> {
      const ids = participationIds.map((id) => thanksId(id, userId));
      const found = await Thanks.find({ _id: { $in: ids } }, { participationId: 1 }).lean();
      return new Set(found.map(({ participationId }) => participationId));
    },

    async thank(userId: number, participation: StoredParticipation): Promise<void> {
      const { _id: participationId, challengeId, userId: ownerId } = participation;
      const thanks = { participationId, challengeId, ownerId, userId };
      const at = new Date(clock.now());
      const event = newEvent('completion.thanked.v1', thanks, clock);
      try {
        await outbox.create({ _id: thanksId(participationId, userId), ...thanks, at }, [event]);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      await recount(participationId);
    },

    async withdraw(userId: number, participationId: number): Promise<void> {
      await Thanks.deleteOne({ _id: thanksId(participationId, userId) });
      await recount(participationId);
    },

    async removeBetween({ userId, blockedId }): Promise<void> {
      await remove({ userId, ownerId: blockedId });
      await remove({ userId: blockedId, ownerId: userId });
    },

    async removeOfParticipation(participationId: number): Promise<void> {
      await Thanks.deleteMany({ participationId });
    },

    async removeOfChallenge(challengeId: number): Promise<void> {
      await Thanks.deleteMany({ challengeId });
    },

    async erase(userId: number): Promise<void> {
      await Thanks.deleteMany({ ownerId: userId });
      await remove({ userId });
    },
  };
}
