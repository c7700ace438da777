import { type Audience, type EventData, isVisibleTo } from '@wayquest/contracts';
import { type Connection, Schema } from 'mongoose';
import { type Clock, systemClock } from '../async/clock.ts';
import { upsert } from '../store/mongo.ts';
import {
  lastEventAt,
  type ReplicaEvent,
  scanById,
  staleSince,
  type WithLastEventAt,
} from './replica-freshness.ts';
import type { UserReplica } from './user-replica.ts';

type Friendship = EventData<'friend.accepted.v1'>;
type FriendshipEvent = ReplicaEvent<'friend.requested.v1' | 'friend.accepted.v1' | 'friend.removed.v1'>;

/** A request only moves forward, so the furthest known stage is the newest. */
const stages = { requested: 1, accepted: 2, removed: 3 };

interface FriendshipDocument extends WithLastEventAt {
  /** The request's id. */
  _id: number;
  userIds: number[];
  /** Removed ones stay, since the removal may arrive before the request. */
  stage: number;
}

const schema = new Schema<FriendshipDocument>({
  _id: { type: Number, required: true },
  userIds: { type: [Number], required: true },
  stage: { type: Number, required: true },
  lastEventAt: Date,
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ userIds: 1 });

/** Replica of friend requests and friendships, fed by the events of the friends service. */
export interface FriendshipReplica {
  applyRequested: (event: FriendshipEvent) => Promise<void>;
  applyAccepted: (event: FriendshipEvent) => Promise<void>;
  applyRemoved: (event: FriendshipEvent) => Promise<void>;
  /** Stores a friendship that the friends service returned; later events apply as usual. */
  addAccepted(friendship: Friendship): Promise<void>;
  /** Whether a request is pending. */
  hasRequest(requestId: number): Promise<boolean>;
  /** Deletes rows without an event since a time; returns the users that they belonged to. */
  pruneStale(since: Date): Promise<number[]>;
  /** Ends all friendships and requests of a user, whose data `erase` deletes next; returns them, also if they ended before. */
  end(userId: number): Promise<Friendship[]>;
  erase(userId: number): Promise<void>;
  friendsOf(userId: number): Promise<number[]>;
  /** The relation of a reader to people. Friendships are only loaded if one of them shows friends more than others. */
  readerOf(
    readerId: number | undefined,
    people: { id: number; visibility: Audience[] }[],
  ): Promise<(userId: number) => Audience>;
  /** Friends, and people with a pending request in either direction. */
  friendsAndRequestedOf(userId: number): Promise<number[]>;
  areFriends(one: number, other: number): Promise<boolean>;
}

/** Creates the replica in a service's database. */
export function createFriendshipReplica(
  connection: Connection,
  clock: Clock = systemClock,
): FriendshipReplica {
  const Friendships = connection.model<FriendshipDocument>('Friendship', schema, 'friendships');

  const advance = ({ requestId, userIds }: Friendship, stage: number, at: Date): Promise<void> =>
    upsert(Friendships, { _id: requestId }, { $max: { stage, lastEventAt: at }, $setOnInsert: { userIds } });

  const apply =
    (stage: number) =>
    async (event: FriendshipEvent): Promise<void> => {
      const { data, replayed } = event;
      if (replayed) {
        const { matchedCount } = await Friendships.updateOne(
          { _id: data.requestId, ...staleSince(replayed) },
          { $set: { stage, userIds: data.userIds, lastEventAt: lastEventAt(event) } },
        );
        if (matchedCount) return;
      }
      await advance(data, stage, lastEventAt(event));
    };

  const counterpartsOf = async (userId: number, stage: object): Promise<number[]> => {
    const friendships = await Friendships.find({ userIds: userId, stage }, { userIds: 1 }).lean();
    return friendships.flatMap(({ userIds }) => userIds.filter((id) => id !== userId));
  };

  const friendsOf = (userId: number): Promise<number[]> => counterpartsOf(userId, { $eq: stages.accepted });

  return {
    applyRequested: apply(stages.requested),
    applyAccepted: apply(stages.accepted),
    applyRemoved: apply(stages.removed),

    addAccepted: (friendship: Friendship): Promise<void> =>
      advance(friendship, stages.accepted, new Date(clock.now())),

    async hasRequest(requestId: number): Promise<boolean> {
      return (await Friendships.exists({ _id: requestId, stage: stages.requested })) !== null;
    },

    async pruneStale(since: Date): Promise<number[]> {
      const stale = await Friendships.find(staleSince(since), { userIds: 1 }, scanById).lean();
      await Friendships.deleteMany(staleSince(since), scanById);
      return [...new Set(stale.flatMap(({ userIds }) => userIds))];
    },

    async end(userId: number): Promise<Friendship[]> {
      await Friendships.updateMany({ userIds: userId }, { $set: { stage: stages.removed } });
      const found = await Friendships.find({ userIds: userId }).lean();
      return found.flatMap(({ _id: requestId, userIds: [one, other] }) =>
        one && other ? [{ requestId, userIds: [one, other] }] : [],
      );
    },

    async erase(userId: number): Promise<void> {
      await Friendships.deleteMany({ userIds: userId });
    },

    friendsOf,

    async readerOf(
      readerId: number | undefined,
      people: { id: number; visibility: Audience[] }[],
    ): Promise<(userId: number) => Audience> {
      const needsFriendships = people.some(
        ({ id, visibility }) => id !== readerId && visibility.includes('friends'),
      );
      const friends = new Set(readerId && needsFriendships ? await friendsOf(readerId) : []);
      return (userId) => (userId === readerId ? 'me' : friends.has(userId) ? 'friends' : 'everybody');
    },

    friendsAndRequestedOf: (userId: number): Promise<number[]> =>
      counterpartsOf(userId, { $lt: stages.removed }),

    async areFriends(one: number, other: number): Promise<boolean> {
      const found = await Friendships.exists({ userIds: { $all: [one, other] }, stage: stages.accepted });
      return found !== null;
    },
  };
}

/** Whether a user's privacy settings show their participations to a reader. One store command, or two if shown to friends. */
export async function showsParticipation(
  { users, friendships }: { users: UserReplica; friendships: FriendshipReplica },
  userId: number,
  readerId: number,
): Promise<boolean> {
  const { participation: visibility } = await users.privacyOf(userId);
  const readerOf = await friendships.readerOf(readerId, [{ id: userId, visibility: [visibility] }]);
  return isVisibleTo(visibility, readerOf(userId));
}
