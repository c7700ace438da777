import { createHmac } from 'node:crypto';
import type { Clock } from '@wayquest/platform/async';
import { ipPrefix64 } from '@wayquest/platform/http';
import { upsert } from '@wayquest/platform/store';
import { type Connection, type Model, Schema } from 'mongoose';
import type { Account } from './account.model.ts';
import type { HashKey } from './hash-key.ts';

/** A network from which somebody has logged in. */
interface KnownNetwork {
  /** A keyed hash of account and network: this collection alone does not reveal who has been where. */
  _id: string;
  expiresAt: Date;
}

const knownNetworkSchema = new Schema<KnownNetwork>({
  _id: { type: String, required: true },
  expiresAt: { type: Date, required: true },
});
knownNetworkSchema.set('shardKey', { _id: 'hashed' });
knownNetworkSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const knownNetworkModel = (connection: Connection): Model<KnownNetwork> =>
  connection.model<KnownNetwork>('KnownNetwork', knownNetworkSchema, 'known_networks');

const retentionMs = 90 * 24 * 60 * 60 * 1_000;

/** No account has this id; it is queried for unknown usernames, so that both take the same time. */
const noAccountId = 0;

/** Networks from which people have logged in, so that failed attempts elsewhere cannot lock them out there. */
export interface KnownNetworks {
  has(account: Account | null, address: string): Promise<boolean>;
  remember(account: Account, address: string): Promise<void>;
}

/** Creates the store of the networks from which an account has logged in, as hashes of their addresses. */
export function createKnownNetworks({
  model,
  hashKey,
  clock,
}: {
  model: Model<KnownNetwork>;
  hashKey: Pick<HashKey, 'keyFor'>;
  clock: Clock;
}): KnownNetworks {
  const idOf = (accountId: number, address: string) =>
    createHmac('sha256', hashKey.keyFor('wayquest known networks'))
      .update(`${accountId} ${ipPrefix64(address)}`)
      .digest('base64url');

  return {
    async has(account: Account | null, address: string): Promise<boolean> {
      const _id = idOf(account?._id ?? noAccountId, address);
      return (await model.exists({ _id, expiresAt: { $gt: new Date(clock.now()) } })) !== null;
    },

    remember: ({ _id }: Account, address: string): Promise<void> =>
      upsert(
        model,
        { _id: idOf(_id, address) },
        { $set: { expiresAt: new Date(clock.now() + retentionMs) } },
      ),
  };
}
