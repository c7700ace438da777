import { type Connection, Schema } from 'mongoose';
import { upsert } from './mongo.ts';

/** The id of a deleted user, which is never reused. */
interface DeletedAccountDocument {
  _id: number;
}

const schema = new Schema<DeletedAccountDocument>({ _id: { type: Number, required: true } });
schema.set('shardKey', { _id: 'hashed' });

/** Deleted accounts, so that late events do not restore their data. */
export interface DeletedAccounts {
  deletedAmong(ids: readonly number[]): Promise<number[]>;
  add(id: number): Promise<void>;
  has(id: number): Promise<boolean>;
  /** Ids greater than this one, in ascending order. */
  idsAfter(id: number): AsyncGenerator<number, void>;
}

/** Creates the list in a service's database. */
export function createDeletedAccounts(connection: Connection): DeletedAccounts {
  const Accounts = connection.model<DeletedAccountDocument>('DeletedAccount', schema, 'deleted_accounts');

  const deletedAmong = async (ids: readonly number[]): Promise<number[]> =>
    ids.length ? (await Accounts.find({ _id: { $in: ids } }).lean()).map(({ _id }) => _id) : [];

  return {
    deletedAmong,
    add: (id: number): Promise<void> => upsert(Accounts, { _id: id }, { $setOnInsert: { _id: id } }),
    has: async (id: number): Promise<boolean> => (await deletedAmong([id])).length > 0,

    async *idsAfter(id: number): AsyncGenerator<number, void> {
      const all = Accounts.find({ _id: { $gt: id } }).sort({ _id: 1 });
      for await (const { _id } of all.lean().cursor()) yield _id;
    },
  };
}
