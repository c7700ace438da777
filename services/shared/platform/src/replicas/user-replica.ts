import { defaultPrivacy, type EventData, generatedAvatar, type PublicUser } from '@wayquest/contracts';
import { type AnyBulkWriteOperation, type Connection, Schema } from 'mongoose';
import { type Clock, systemClock } from '../async/clock.ts';
import { createErasedUsers } from '../erasure/erased-users.ts';
import { retryInserts } from '../store/mongo.ts';
import type { Caller } from '../tokens/token-guard.ts';
import {
  lastEventAt,
  type ReplicaEvent,
  scanById,
  staleSince,
  type WithLastEventAt,
} from './replica-freshness.ts';

interface UserReplicaDocument extends WithLastEventAt {
  _id: number;
  /** 0 if known from a token only, -1 if known from points only. */
  version: number;
  profile?: Omit<PublicUser, 'id' | 'points'> | null;
  /** Absent until an event of a version with privacy settings. */
  privacy?: ReplicatedPrivacy | null;
  points: number;
  /** Version of the points, which have their own events. Absent until an event of a version that has it. */
  pointsVersion?: number | null;
  pointsLastEventAt?: Date | null;
}

type ReplicatedPrivacy = NonNullable<EventData<'user.profile-changed.v1'>['privacy']>;

type Write = AnyBulkWriteOperation<UserReplicaDocument>;

/** A user's points in an event. */
type Total = Pick<EventData<'points.awarded.v1'>, 'points' | 'pointsVersion'>;

const schema = new Schema<UserReplicaDocument>({
  _id: { type: Number, required: true },
  version: { type: Number, required: true },
  profile: Schema.Types.Mixed,
  privacy: Schema.Types.Mixed,
  points: { type: Number, required: true },
  pointsVersion: Number,
  lastEventAt: Date,
  pointsLastEventAt: Date,
});
schema.set('shardKey', { _id: 'hashed' });

/** Replica of public profiles and privacy settings, fed by the events of the users service. */
export interface UserReplica {
  erase(userId: number): Promise<void>;
  apply(event: ReplicaEvent<'user.profile-changed.v1'>): Promise<void>;
  applyPoints(event: ReplicaEvent<'points.awarded.v1'> | ReplicaEvent<'points.revoked.v1'>): Promise<void>;
  /** Stores an unknown user that the users service returned; its events take precedence. */
  addFromResponse(user: PublicUser): Promise<void>;
  /** Makes sure that a caller has a row, even if the event of their signup has not arrived yet. */
  ensureUser(caller: Pick<Caller, 'id' | 'username'>): Promise<void>;
  /** Deletes rows without an event since a time. */
  pruneStale(since: Date): Promise<void>;
  privacyOf(userId: number): Promise<ReplicatedPrivacy>;
  /** Users with their privacy settings; everything is shown until an event says otherwise. */
  withPrivacy(ids: number[]): Promise<Map<number, { user: PublicUser; privacy: ReplicatedPrivacy }>>;
  byIds(ids: number[]): Promise<Map<number, PublicUser>>;
}

/** Creates the replica in a service's database. */
export function createUserReplica(connection: Connection, clock: Clock = systemClock): UserReplica {
  const erasedUsers = createErasedUsers(connection);
  const Users = connection.model<UserReplicaDocument>('UserReplica', schema, 'users');

  /** Applies writes in order, in one command. */
  const write = (writes: Write[]): Promise<void> => retryInserts(() => Users.bulkWrite(writes));

  /**
   * The writes that store a total of points. It may arrive before the profile does, and inserts the row then. Totals
   * without a version only ever grew, so the greatest of them is the newest.
   */
  const totalWrites = (_id: number, { points, pointsVersion }: Total, at: Date): Write[] => {
    const isOlder = pointsVersion
      ? { $or: [{ pointsVersion: null }, { pointsVersion: { $lt: pointsVersion } }] }
      : { pointsVersion: null, points: { $lt: points } };
    const newState = { points, ...(pointsVersion && { pointsVersion }) };
    const insert = { $max: { pointsLastEventAt: at }, $setOnInsert: { ...newState, version: -1 } };
    return [
      { updateOne: { filter: { _id }, update: insert, upsert: true } },
      { updateOne: { filter: { _id, ...isOlder }, update: { $set: newState } } },
    ];
  };

  const profileWrites = (
    { id, points, pointsVersion, ...profile }: PublicUser & Total,
    { version, privacy = null }: { version: number; privacy?: ReplicatedPrivacy | null | undefined },
    at: Date,
  ): Write[] => [
    ...totalWrites(id, { points, pointsVersion }, at),
    {
      updateOne: {
        filter: { _id: id, version: { $lt: version } },
        update: { $set: { version, profile, privacy }, $max: { lastEventAt: at } },
      },
    },
  ];

  const erase = async (userId: number): Promise<void> => {
    await Users.deleteOne({ _id: userId });
  };

  /** Inserts what comes from a call, not an event: the user may have been deleted meanwhile. */
  const addFromResponse = async (user: PublicUser): Promise<void> => {
    await write(profileWrites(user, { version: 0 }, new Date(clock.now())));
    if (await erasedUsers.has(user.id)) await erase(user.id);
  };

  const withPrivacy = async (
    ids: number[],
  ): Promise<Map<number, { user: PublicUser; privacy: ReplicatedPrivacy }>> => {
    const users = await Users.find({ _id: { $in: [...new Set(ids)] } }).lean();
    return new Map(
      users.flatMap(({ _id: id, profile, privacy, points }) =>
        profile
          ? [[id, { user: { id, ...profile, points }, privacy: privacy ?? defaultPrivacy }] as const]
          : [],
      ),
    );
  };

  return {
    erase,

    async apply(event: ReplicaEvent<'user.profile-changed.v1'>): Promise<void> {
      const { replayed } = event;
      const { user, version, privacy = null, pointsVersion } = event.data;
      const { id, points, ...profile } = user;
      const at = lastEventAt(event);
      const overwrite: Write[] = replayed
        ? [
            {
              updateOne: {
                filter: { _id: id, ...staleSince(replayed) },
                update: { $set: { version, profile, privacy, lastEventAt: at } },
              },
            },
            {
              updateOne: {
                filter: { _id: id, ...staleSince(replayed, 'pointsLastEventAt') },
                update: { $set: { points, pointsVersion: pointsVersion || null, pointsLastEventAt: at } },
              },
            },
          ]
        : [];
      await write([...overwrite, ...profileWrites({ ...user, pointsVersion }, event.data, at)]);
    },

    applyPoints: (
      event: ReplicaEvent<'points.awarded.v1'> | ReplicaEvent<'points.revoked.v1'>,
    ): Promise<void> => write(totalWrites(event.data.userId, event.data, lastEventAt(event))),

    addFromResponse,

    async ensureUser({ id, username }: Pick<Caller, 'id' | 'username'>): Promise<void> {
      if (await Users.exists({ _id: id, version: { $gte: 0 } })) return;
      const avatar = generatedAvatar(id);
      const profile = { username, firstName: '', lastName: '', city: '', state: '', avatar };
      await addFromResponse({ id, ...profile, points: 0 });
    },

    async pruneStale(since: Date): Promise<void> {
      await Users.deleteMany({ $and: [staleSince(since), staleSince(since, 'pointsLastEventAt')] }, scanById);
    },

    async privacyOf(userId: number): Promise<ReplicatedPrivacy> {
      const found = await Users.findById(userId, { privacy: 1 }).lean();
      return found?.privacy ?? defaultPrivacy;
    },

    withPrivacy,

    async byIds(ids: number[]): Promise<Map<number, PublicUser>> {
      return new Map([...(await withPrivacy(ids))].map(([id, { user }]) => [id, user]));
    },
  };
}
