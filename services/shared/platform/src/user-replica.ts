import { type EventData, generatedAvatar, type PublicUser } from '@wayquest/contracts';
import { type Connection, Schema } from 'mongoose';
import { isDuplicateKey } from './mongo.ts';
import type { Caller } from './token-guard.ts';

interface UserReplicaDocument {
  _id: number;
  /** 0 while only a token has told of the person. */
  version: number;
  profile: Omit<PublicUser, 'id' | 'points'>;
  points: number;
}

const schema = new Schema<UserReplicaDocument>({
  _id: { type: Number, required: true },
  version: { type: Number, required: true },
  profile: { type: Schema.Types.Mixed, required: true },
  points: { type: Number, required: true },
});

const present = ({ _id, profile, points }: UserReplicaDocument): PublicUser => ({
  id: _id,
  ...profile,
  points,
});

/** What anyone may see of people: what a service keeps of the users service, fed by its events. */
export function createUserReplica(connection: Connection) {
  const Users = connection.model<UserReplicaDocument>('UserReplica', schema, 'users');

  const insert = async (user: UserReplicaDocument): Promise<boolean> => {
    try {
      await Users.create(user);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  const keep = async ({
    user: { id, points, ...profile },
    version,
  }: EventData<'user.profile-changed.v1'>): Promise<void> => {
    if (await insert({ _id: id, version, profile, points })) return;
    await Users.updateOne({ _id: id, version: { $lt: version } }, { $set: { version, profile } });
    await Users.updateOne({ _id: id }, { $max: { points } });
  };

  return {
    keep,

    /** Points only grow, so the greatest total is the newest. Someone not met yet comes with their profile. */
    async keepPoints({ userId, points }: EventData<'points.awarded.v1'>): Promise<void> {
      await Users.updateOne({ _id: userId }, { $max: { points } });
    },

    /** Makes sure that a caller can be shown, also before the event of their signup is here. */
    async meet({ id, username }: Pick<Caller, 'id' | 'username'>): Promise<void> {
      if (await Users.exists({ _id: id })) return;
      const avatar = generatedAvatar(id);
      const profile = { username, firstName: '', lastName: '', city: '', state: '', avatar };
      await insert({ _id: id, version: 0, profile, points: 0 });
    },

    async byIds(ids: number[]): Promise<Map<number, PublicUser>> {
      const users = await Users.find({ _id: { $in: [...new Set(ids)] } }).lean();
      return new Map(users.map((user) => [user._id, present(user)]));
    },
  };
}

export type UserReplica = ReturnType<typeof createUserReplica>;
