import { type Connection, Schema } from 'mongoose';
import { upsert } from '../store/mongo.ts';

/** The id of an erased user, which is never reused. */
interface ErasedUserDocument {
  _id: number;
}

const schema = new Schema<ErasedUserDocument>({ _id: { type: Number, required: true } });
schema.set('shardKey', { _id: 'hashed' });

/** The users whose data a service has erased or is erasing, so that late events do not restore them. */
export interface ErasedUsers {
  /** Those of the given ids that belong to erased users. */
  among(ids: readonly number[]): Promise<number[]>;
  add(id: number): Promise<void>;
  has(id: number): Promise<boolean>;
  /** Ids greater than this one, in ascending order. */
  idsAfter(id: number): AsyncGenerator<number, void>;
}

/** Creates the list in a service's database. */
export function createErasedUsers(connection: Connection): ErasedUsers {
  // The collection keeps its name: instances of the version before may run at the same time, and write to it.
  const Users = connection.model<ErasedUserDocument>('ErasedUser', schema, 'deleted_accounts');

  const among = async (ids: readonly number[]): Promise<number[]> =>
    ids.length ? (await Users.find({ _id: { $in: ids } }).lean()).map(({ _id }) => _id) : [];

  return {
    among,
    add: (id: number): Promise<void> => upsert(Users, { _id: id }, { $setOnInsert: { _id: id } }),
    has: async (id: number): Promise<boolean> => (await among([id])).length > 0,

    async *idsAfter(id: number): AsyncGenerator<number, void> {
      const all = Users.find({ _id: { $gt: id } }).sort({ _id: 1 });
      for await (const { _id } of all.lean().cursor()) yield _id;
    },
  };
}
