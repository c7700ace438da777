import { type Connection, Schema } from 'mongoose';
import { upsert } from '../store/mongo.ts';
import { type Heard, heardAt, notHeardSince, throughAll, type Word } from './heard.ts';

interface MembershipDocument extends Heard {
  /** The line's id. */
  _id: number;
  challengeId: number;
  userId: number;
  /** Kept as a mark, since the event that it was joined may arrive after the one that it was left. */
  left: boolean;
  /** Only where a service hears of that. */
  completed?: boolean | null;
}

const schema = new Schema<MembershipDocument>({
  _id: { type: Number, required: true },
  challengeId: { type: Number, required: true },
  userId: { type: Number, required: true },
  left: { type: Boolean, required: true },
  completed: Boolean,
  heardAt: Date,
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ challengeId: 1, left: 1, _id: 1 });
schema.index({ userId: 1, left: 1 });

/** Who takes part where: what a service keeps of participation's lines, fed by their events. */
export function createMembershipReplica(connection: Connection) {
  const Memberships = connection.model<MembershipDocument>('Membership', schema, 'memberships');

  return {
    model: Memberships,

    async keepJoined(word: Word<'challenge.joined.v1'>): Promise<void> {
      const { lineId, challengeId, userId } = word.data;
      const isNew = { challengeId, userId, left: false };
      if (word.replayed) {
        await Memberships.updateOne(
          { _id: lineId, ...notHeardSince(word.replayed) },
          { $set: { ...isNew, heardAt: heardAt(word) } },
        );
      }
      await upsert(Memberships, { _id: lineId }, { $setOnInsert: { ...isNew, heardAt: heardAt(word) } });
    },

    async keepLeft(word: Word<'challenge.left.v1'>): Promise<void> {
      const { lineId, challengeId, userId } = word.data;
      await upsert(
        Memberships,
        { _id: lineId },
        { $set: { challengeId, userId, left: true }, $max: { heardAt: heardAt(word) } },
      );
    },

    async keepCompleted(word: Word<'challenge.completed.v1'>): Promise<void> {
      const { lineId, challengeId, userId } = word.data;
      await upsert(
        Memberships,
        { _id: lineId },
        {
          $set: { completed: true },
          $setOnInsert: { challengeId, userId, left: false },
          $max: { heardAt: heardAt(word) },
        },
      );
    },

    /** Takes out where somebody took part; answers where that was. */
    async erase(userId: number): Promise<number[]> {
      const found = await Memberships.distinct('challengeId', { userId });
      await Memberships.deleteMany({ userId });
      return found;
    },

    /** Takes out whose lines were not heard of since a moment. */
    async forget(since: Date): Promise<void> {
      await Memberships.deleteMany(notHeardSince(since), throughAll);
    },
  };
}

export type MembershipReplica = ReturnType<typeof createMembershipReplica>;
