import type { Audience, EventData } from '@wayquest/contracts';
import { type Connection, Schema } from 'mongoose';
import { type Clock, systemClock } from '../process/clock.ts';
import { upsert } from '../store/mongo.ts';
import {
  lastEventAt,
  type ReplicaEvent,
  scanById,
  staleSince,
  type WithLastEventAt,
} from './replica-freshness.ts';

type Friendship = EventData<'friend.accepted.v1'>;
type FriendshipWord = ReplicaEvent<'friend.requested.v1' | 'friend.accepted.v1' | 'friend.removed.v1'>;

/** A request only ever moves on, so the furthest stage that was told of is the newest. */
const stages = { requested: 1, accepted: 2, removed: 3 };

interface FriendshipDocument extends WithLastEventAt {
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
  heardAt: Date,
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ userIds: 1 });

/** Who asked whom and who is friends with whom: what a service keeps of the friends service, fed by its events. */
export function createFriendshipReplica(connection: Connection, clock: Clock = systemClock) {
  const Friendships = connection.model<FriendshipDocument>('Friendship', schema, 'friendships');

  const advance = ({ requestId, userIds }: Friendship, stage: number, heardAt: Date): Promise<void> =>
    upsert(Friendships, { _id: requestId }, { $max: { stage, heardAt }, $setOnInsert: { userIds } });

  const keep =
    (stage: number) =>
    async (event: FriendshipWord): Promise<void> => {
      const { data, replayed } = event;
      if (replayed) {
        const { matchedCount } = await Friendships.updateOne(
          { _id: data.requestId, ...staleSince(replayed) },
          { $set: { stage, userIds: data.userIds, heardAt: lastEventAt(event) } },
        );
        if (matchedCount) return;
      }
      await advance(data, stage, lastEventAt(event));
    };

  const others = async (userId: number, stage: object): Promise<number[]> => {
    const friendships = await Friendships.find({ userIds: userId, stage }, { userIds: 1 }).lean();
    return friendships.flatMap(({ userIds }) => userIds.filter((id) => id !== userId));
  };

  const friendsOf = (userId: number): Promise<number[]> => others(userId, { $eq: stages.accepted });

  return {
    keepRequested: keep(stages.requested),
    keepAccepted: keep(stages.accepted),
    keepRemoved: keep(stages.removed),

    /** Two are friends, as the friends service said when it was asked; its events count as ever. */
    learnAccepted: (friendship: Friendship): Promise<void> =>
      advance(friendship, stages.accepted, new Date(clock.now())),

    /** Whether a request is still to be answered. */
    async isAsked(requestId: number): Promise<boolean> {
      return (await Friendships.exists({ _id: requestId, stage: stages.requested })) !== null;
    },

    /** Takes out all that nothing was heard of since a moment; answers whose it was. */
    async pruneStale(since: Date): Promise<number[]> {
      const gone = await Friendships.find(staleSince(since), { userIds: 1 }, scanById).lean();
      await Friendships.deleteMany(staleSince(since), scanById);
      return [...new Set(gone.flatMap(({ userIds }) => userIds))];
    },

    /** Takes out whom somebody asked, or was asked by; answers what there was. */
    async erase(userId: number): Promise<Friendship[]> {
      const found = await Friendships.find({ userIds: userId }).lean();
      await Friendships.deleteMany({ userIds: userId });
      return found.flatMap(({ _id: requestId, userIds: [one, other] }) =>
        one && other ? [{ requestId, userIds: [one, other] }] : [],
      );
    },

    friendsOf,

    /** Who a reader is to people. Friends are looked up only where somebody shows them more than others. */
    async readerOf(
      readerId: number | undefined,
      people: { id: number; shownTo: Audience[] }[],
    ): Promise<(userId: number) => Audience> {
      const isForFriends = people.some(({ id, shownTo }) => id !== readerId && shownTo.includes('friends'));
      const friends = new Set(readerId && isForFriends ? await friendsOf(readerId) : []);
      return (userId) => (userId === readerId ? 'me' : friends.has(userId) ? 'friends' : 'everybody');
    },

    /** Friends, and those to or from whom a request is pending. */
    friendsAndAskedOf: (userId: number): Promise<number[]> => others(userId, { $lt: stages.removed }),

    async areFriends(one: number, other: number): Promise<boolean> {
      const found = await Friendships.exists({ userIds: { $all: [one, other] }, stage: stages.accepted });
      return found !== null;
    },
  };
}

export type FriendshipReplica = ReturnType<typeof createFriendshipReplica>;
