import { type Connection, Schema } from 'mongoose';
import { upsert } from '../store/mongo.ts';
import {
  lastEventAt,
  type ReplicaEvent,
  scanById,
  staleSince,
  type WithLastEventAt,
} from './replica-freshness.ts';

interface MembershipDocument extends WithLastEventAt {
  /** The participation's id. */
  _id: number;
  challengeId: number;
  userId: number;
  /** Tombstone: the event of joining may arrive after that of leaving. */
  left: boolean;
  /** Only in services that consume completions. */
  completed?: boolean | null;
}

const schema = new Schema<MembershipDocument>({
  _id: { type: Number, required: true },
  challengeId: { type: Number, required: true },
  userId: { type: Number, required: true },
  left: { type: Boolean, required: true },
  completed: Boolean,
  lastEventAt: Date,
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ challengeId: 1, left: 1, _id: 1 });
schema.index({ userId: 1, left: 1 });

/** Replica of participations, fed by the events of the participation service. */
export function createMembershipReplica(connection: Connection) {
  const Memberships = connection.model<MembershipDocument>('Membership', schema, 'memberships');

  return {
    model: Memberships,

    async keepJoined(event: ReplicaEvent<'challenge.joined.v1'>): Promise<void> {
      const { lineId, challengeId, userId } = event.data;
      const isNew = { challengeId, userId, left: false };
      if (event.replayed) {
        await Memberships.updateOne(
          { _id: lineId, ...staleSince(event.replayed) },
          { $set: { ...isNew, lastEventAt: lastEventAt(event) } },
        );
      }
      await upsert(
        Memberships,
        { _id: lineId },
        { $setOnInsert: { ...isNew, lastEventAt: lastEventAt(event) } },
      );
    },

    async keepLeft(event: ReplicaEvent<'challenge.left.v1'>): Promise<void> {
      const { lineId, challengeId, userId } = event.data;
      await upsert(
        Memberships,
        { _id: lineId },
        { $set: { challengeId, userId, left: true }, $max: { lastEventAt: lastEventAt(event) } },
      );
    },

    async keepCompleted(event: ReplicaEvent<'challenge.completed.v1'>): Promise<void> {
      const { lineId, challengeId, userId } = event.data;
      await upsert(
        Memberships,
        { _id: lineId },
        {
          $set: { completed: true },
          $setOnInsert: { challengeId, userId, left: false },
          $max: { lastEventAt: lastEventAt(event) },
        },
      );
    },

    /** Deletes a user's participations; returns their challenges. */
    async erase(userId: number): Promise<number[]> {
      const found = await Memberships.distinct('challengeId', { userId });
      await Memberships.deleteMany({ userId });
      return found;
    },

    /** Deletes rows without an event since a time. */
    async pruneStale(since: Date): Promise<void> {
      await Memberships.deleteMany(staleSince(since), scanById);
    },
  };
}

export type MembershipReplica = ReturnType<typeof createMembershipReplica>;
