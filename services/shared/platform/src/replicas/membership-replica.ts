import { type Connection, type Model, Schema } from 'mongoose';
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
export interface MembershipReplica {
  /** For queries of the service that has the replica. */
  model: Model<MembershipDocument>;
  applyJoined(event: ReplicaEvent<'challenge.joined.v1'>): Promise<void>;
  applyLeft(event: ReplicaEvent<'challenge.left.v1'>): Promise<void>;
  applyCompleted(event: ReplicaEvent<'challenge.completed.v1'>): Promise<void>;
  /** Deletes a user's participations; returns their challenges. */
  erase(userId: number): Promise<number[]>;
  /** Deletes rows without an event since a time. */
  pruneStale(since: Date): Promise<void>;
}

/** Creates the replica in a service's database. */
export function createMembershipReplica(connection: Connection): MembershipReplica {
  const Memberships = connection.model<MembershipDocument>('Membership', schema, 'memberships');

  return {
    model: Memberships,

    async applyJoined(event: ReplicaEvent<'challenge.joined.v1'>): Promise<void> {
      const { participationId, challengeId, userId } = event.data;
      const isNew = { challengeId, userId, left: false };
      if (event.replayed) {
        await Memberships.updateOne(
          { _id: participationId, ...staleSince(event.replayed) },
          { $set: { ...isNew, lastEventAt: lastEventAt(event) } },
        );
      }
      await upsert(
        Memberships,
        { _id: participationId },
        { $setOnInsert: { ...isNew, lastEventAt: lastEventAt(event) } },
      );
    },

    async applyLeft(event: ReplicaEvent<'challenge.left.v1'>): Promise<void> {
      const { participationId, challengeId, userId } = event.data;
      await upsert(
        Memberships,
        { _id: participationId },
        { $set: { challengeId, userId, left: true }, $max: { lastEventAt: lastEventAt(event) } },
      );
    },

    async applyCompleted(event: ReplicaEvent<'challenge.completed.v1'>): Promise<void> {
      const { participationId, challengeId, userId } = event.data;
      await upsert(
        Memberships,
        { _id: participationId },
        {
          $set: { completed: true },
          $setOnInsert: { challengeId, userId, left: false },
          $max: { lastEventAt: lastEventAt(event) },
        },
      );
    },

    async erase(userId: number): Promise<number[]> {
      const found = await Memberships.distinct('challengeId', { userId });
      await Memberships.deleteMany({ userId });
      return found;
    },

    async pruneStale(since: Date): Promise<void> {
      await Memberships.deleteMany(staleSince(since), scanById);
    },
  };
}
