import { type EventData, generatedAvatar, type PublicUser } from '@wayquest/contracts';
import { type Connection, Schema } from 'mongoose';
import type { Caller } from '../http/token-guard.ts';
import { upsert } from '../store/mongo.ts';
import { type Heard, heardAt, notHeardSince, throughAll, type Word } from './heard.ts';

interface UserReplicaDocument extends Heard {
  _id: number;
  /** 0 while only a token has told of the person, -1 while nothing but points has. */
  version: number;
  profile?: Omit<PublicUser, 'id' | 'points'> | null;
  points: number;
  /** Points have their own events, and versions; none while only older versions have told of them. */
  pointsVersion?: number | null;
  pointsHeardAt?: Date | null;
}

/** Somebody's points as an event tells them. */
type Total = Pick<EventData<'points.awarded.v1'>, 'points' | 'pointsVersion'>;

const schema = new Schema<UserReplicaDocument>({
  _id: { type: Number, required: true },
  version: { type: Number, required: true },
  profile: Schema.Types.Mixed,
  points: { type: Number, required: true },
  pointsVersion: Number,
  heardAt: Date,
  pointsHeardAt: Date,
});

/** What anyone may see of people: what a service keeps of the users service, fed by its events. */
export function createUserReplica(connection: Connection) {
  const Users = connection.model<UserReplicaDocument>('UserReplica', schema, 'users');

  /** Of totals without a version, which only grew, the greatest is the newest. They may come before the profile does. */
  const keepTotal = async (_id: number, { points, pointsVersion }: Total, pointsHeardAt: Date) => {
    const older = pointsVersion
      ? { $or: [{ pointsVersion: null }, { pointsVersion: { $lt: pointsVersion } }] }
      : { pointsVersion: null, points: { $lt: points } };
    const now = { points, ...(pointsVersion && { pointsVersion }) };
    const advance = () => Users.updateOne({ _id, ...older }, { $set: now, $max: { pointsHeardAt } });
    if ((await advance()).matchedCount) return;
    await upsert(Users, { _id }, { $max: { pointsHeardAt }, $setOnInsert: { ...now, version: -1 } });
    // Somebody may have made it meanwhile, from an older total.
    await advance();
  };

  const advance = async (
    { id, points, pointsVersion, ...profile }: PublicUser & Total,
    version: number,
    heardAt: Date,
  ): Promise<void> => {
    await keepTotal(id, { points, pointsVersion }, heardAt);
    await Users.updateOne(
      { _id: id, version: { $lt: version } },
      { $set: { version, profile }, $max: { heardAt } },
    );
  };

  return {
    async keep(word: Word<'user.profile-changed.v1'>): Promise<void> {
      const { replayed } = word;
      const { user, version, pointsVersion } = word.data;
      const { id, points, ...profile } = user;
      if (replayed) {
        await Users.updateOne(
          { _id: id, ...notHeardSince(replayed) },
          { $set: { version, profile, heardAt: heardAt(word) } },
        );
        await Users.updateOne(
          { _id: id, ...notHeardSince(replayed, 'pointsHeardAt') },
          { $set: { points, pointsVersion: pointsVersion || null, pointsHeardAt: heardAt(word) } },
        );
      }
      await advance({ ...user, pointsVersion }, version, heardAt(word));
    },

    keepPoints: (word: Word<'points.awarded.v1'> | Word<'points.withdrawn.v1'>): Promise<void> =>
      keepTotal(word.data.userId, word.data, heardAt(word)),

    /** Keeps what the users service answered of somebody not met yet; its events count more. */
    learn: (user: PublicUser): Promise<void> => advance(user, 0, new Date()),

    /** Makes sure that a caller can be shown, also before the event of their signup is here. */
    async meet({ id, username }: Pick<Caller, 'id' | 'username'>): Promise<void> {
      if (await Users.exists({ _id: id, version: { $gte: 0 } })) return;
      const avatar = generatedAvatar(id);
      const profile = { username, firstName: '', lastName: '', city: '', state: '', avatar };
      await advance({ id, ...profile, points: 0 }, 0, new Date());
    },

    /** Takes out everybody of whom nothing was heard since a moment. */
    async forget(since: Date): Promise<void> {
      await Users.deleteMany(
        { $and: [notHeardSince(since), notHeardSince(since, 'pointsHeardAt')] },
        throughAll,
      );
    },

    async byIds(ids: number[]): Promise<Map<number, PublicUser>> {
      const users = await Users.find({ _id: { $in: [...new Set(ids)] } }).lean();
      return new Map(
        users.flatMap(({ _id: id, profile, points }) =>
          profile ? [[id, { id, ...profile, points }] as const] : [],
        ),
      );
    },
  };
}

export type UserReplica = ReturnType<typeof createUserReplica>;
