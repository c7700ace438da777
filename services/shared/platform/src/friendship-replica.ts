import type { EventData } from '@wayquest/contracts';
import { type Connection, Schema } from 'mongoose';
import { isDuplicateKey } from './mongo.ts';

type Friendship = EventData<'friend.accepted.v1'>;

/** A request only ever moves on, so the furthest stage that was told of is the newest. */
const stages = { requested: 1, accepted: 2, removed: 3 };

interface FriendshipDocument {
  /** The request's id. */
  _id: number;
  userIds: number[];
  /** Removed ones are kept, since the event of an end may arrive before that of the beginning. */
  stage: number;
}

const schema = new Schema<FriendshipDocument>({
  _id: { type: Number, required: true },
  userIds: { type: [Number], required: true },
  stage: { type: Number, required: true },
});
schema.index({ userIds: 1 });

/** Who asked whom and who is friends with whom: what a service keeps of the friends service, fed by its events. */
export function createFriendshipReplica(connection: Connection) {
  const Friendships = connection.model<FriendshipDocument>('Friendship', schema, 'friendships');

  const keep =
    (stage: number) =>
    async ({ requestId, userIds }: Friendship): Promise<void> => {
      const advance = () =>
        Friendships.updateOne(
          { _id: requestId },
          { $max: { stage }, $setOnInsert: { userIds } },
          { upsert: true },
        );
      try {
        await advance();
      } catch (error) {
        // Another event of the same request has just inserted it.
        if (!isDuplicateKey(error)) throw error;
        await advance();
      }
    };

  const others = async (userId: number, stage: object): Promise<number[]> => {
    const friendships = await Friendships.find({ userIds: userId, stage }, { userIds: 1 }).lean();
    return friendships.flatMap(({ userIds }) => userIds.filter((id) => id !== userId));
  };

  return {
    keepRequested: keep(stages.requested),
    keepAccepted: keep(stages.accepted),
    keepRemoved: keep(stages.removed),

    friendsOf: (userId: number): Promise<number[]> => others(userId, { $eq: stages.accepted }),

    /** Friends, and those to or from whom a request is pending. */
    friendsAndAskedOf: (userId: number): Promise<number[]> => others(userId, { $lt: stages.removed }),

    async areFriends(one: number, other: number): Promise<boolean> {
      const found = await Friendships.exists({ userIds: { $all: [one, other] }, stage: stages.accepted });
      return found !== null;
    },
  };
}

export type FriendshipReplica = ReturnType<typeof createFriendshipReplica>;
