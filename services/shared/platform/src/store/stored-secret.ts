import { randomBytes } from 'node:crypto';
import { type Connection, type Model, Schema } from 'mongoose';
import { upsert } from './mongo.ts';

interface KeyDocument {
  _id: string;
  key: string;
}

const schema = new Schema<KeyDocument>({
  _id: { type: String, required: true },
  key: { type: String, required: true },
});
schema.set('shardKey', { _id: 'hashed' });

const keyModel = (connection: Connection): Model<KeyDocument> =>
  connection.models.Key ?? connection.model<KeyDocument>('Key', schema, 'keys');

/** A secret that all instances of a service share, and that never changes: it keys hashes and seals in or for its store. */
export interface StoredSecret {
  /**
   * Creates the secret, unless another instance has, and reads it. Before it, `text` throws.
   *
   * @param initial - The first value; random without it.
   */
  ensure(initial?: string): Promise<void>;
  /** Reads the secret, without creating it. Returns whether there is one. */
  load(): Promise<boolean>;
  text(): string;
}

/**
 * A secret in the service's own store, so that it is part of its backups and independent of the key that signs tokens, which
 * operators rotate.
 */
export function createStoredSecret(connection: Connection, name: string): StoredSecret {
  const Keys = keyModel(connection);
  let current: string | undefined;
  const load = async (): Promise<boolean> => {
    current = (await Keys.findById(name).lean())?.key;
    return current !== undefined;
  };
  return {
    async ensure(initial = randomBytes(32).toString('base64url')): Promise<void> {
      await upsert(Keys, { _id: name }, { $setOnInsert: { key: initial } });
      if (!(await load())) throw new Error(`the secret ${name} was deleted`);
    },
    load,
    text(): string {
      if (current === undefined) throw new Error(`the secret ${name} was not prepared`);
      return current;
    },
  };
}
