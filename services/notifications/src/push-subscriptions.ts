import { createHash } from 'node:crypto';
import type { NewPushSubscription, PushLanguage } from '@wayquest/contracts';
import { limits, Problem } from '@wayquest/platform/core';
import type { ServiceKit } from '@wayquest/platform/service';
import { upsert } from '@wayquest/platform/store';
import type { Caller } from '@wayquest/platform/tokens';
import type { RevocationData } from '@wayquest/platform/tokens/revocations';
import { type Connection, Schema } from 'mongoose';
import webPush from 'web-push';

interface PushKeysDocument {
  _id: 'vapid';
  publicKey: string;
  privateKey: string;
}

const keySchema = new Schema<PushKeysDocument>({
  _id: { type: String, required: true },
  publicKey: { type: String, required: true },
  privateKey: { type: String, required: true },
});
keySchema.set('shardKey', { _id: 'hashed' });

const pushKeysModel = (connection: Connection) =>
  connection.model<PushKeysDocument>('PushKeys', keySchema, 'push_keys');

export type PushKeys = Pick<PushKeysDocument, 'publicKey' | 'privateKey'>;

/** The VAPID key pair (RFC 8292): generated at the first start, stored, and shared by all instances. */
export function createPushKeys({ connection }: Pick<ServiceKit, 'connection'>) {
  const Keys = pushKeysModel(connection);
  let cached: PushKeys | undefined;

  return {
    async prepare(): Promise<void> {
      if (!(await Keys.exists({ _id: 'vapid' })))
        await upsert(Keys, { _id: 'vapid' }, { $setOnInsert: webPush.generateVAPIDKeys() });
    },

    async get(): Promise<PushKeys> {
      cached ??= await Keys.findById('vapid').orFail().lean();
      return cached;
    },
  };
}

/** A browser that receives push messages. */
export interface PushSubscriptionDocument {
  /** Hash of the endpoint: a browser belongs to the user who subscribed last. */
  _id: string;
  id: number;
  userId: number;
  /** The session that it ends with. */
  tokenId: string;
  issuedAt: Date;
  generation?: number;
  endpoint: string;
  keys: NewPushSubscription['keys'];
  language: PushLanguage;
}

const schema = new Schema<PushSubscriptionDocument>(
  {
    _id: { type: String, required: true },
    id: { type: Number, required: true },
    userId: { type: Number, required: true },
    tokenId: { type: String, required: true },
    issuedAt: { type: Date, required: true },
    generation: Number,
    endpoint: { type: String, required: true },
    keys: { type: Schema.Types.Mixed, required: true },
    language: { type: String, required: true },
  },
  { id: false },
);
schema.set('shardKey', { _id: 'hashed' });
schema.index({ userId: 1, id: -1 });

export const subscriptionModel = (connection: Connection) =>
  connection.model<PushSubscriptionDocument>('PushSubscription', schema, 'push_subscriptions');

/** Whether an endpoint is on the allow list: the caller names it, and could name a host of our own network (SSRF). */
const isServedBy = (origins: readonly string[], endpoint: string): boolean => {
  const { protocol, host, username, password } = new URL(endpoint);
  if (username || password) return false;
  return origins.some((origin) => {
    const [scheme, name = ''] = origin.split('://');
    if (protocol !== `${scheme}:`) return false;
    return name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name;
  });
};

/** The push subscriptions of people's browsers. */
export interface PushSubscriptions {
  /** @throws Problem `invalid-request` for an endpoint that is not on the allow list. */
  add(newPushSubscription: NewPushSubscription, caller: Caller): Promise<{ id: number }>;
  remove(id: number, caller: Caller): Promise<void>;
  erase(userId: number): Promise<void>;
  /** Deletes a subscription that its push service no longer accepts. */
  removeById(_id: string): Promise<void>;
  /** Deletes the subscriptions of sessions that a revocation covers. */
  end(revocationData: RevocationData): Promise<void>;
  of(userIds: number[]): Promise<PushSubscriptionDocument[]>;
}

/**
 * Creates the store of browsers that receive push messages.
 *
 * @param services - The push services to which messages are sent; a subscription at another one is refused.
 */
export function createPushSubscriptions({
  kit: { connection, ids },
  services,
}: {
  kit: Pick<ServiceKit, 'connection' | 'ids'>;
  /** The allowed origins of push services. */
  services: readonly string[];
}): PushSubscriptions {
  const Subscriptions = subscriptionModel(connection);

  return {
    async add({ endpoint, keys, language }: NewPushSubscription, caller: Caller): Promise<{ id: number }> {
      if (!isServedBy(services, endpoint)) {
        throw new Problem('invalid-request', {
          errors: [{ field: 'endpoint', reason: 'must be the address of an allowed push service' }],
        });
      }
      const { id: userId, claims } = caller;
      const _id = createHash('sha256').update(endpoint).digest('base64url');
      const state = {
        ...{ userId, tokenId: claims.jti },
        ...{ issuedAt: new Date(claims.iat * 1_000), generation: claims.generation ?? 0 },
      };
      // A browser that subscribes again, as after a lost response, keeps its id.
      const $setOnInsert = { id: await ids.next('push-subscription') };
      await upsert(Subscriptions, { _id }, { $setOnInsert, $set: { ...state, endpoint, keys, language } });
      const { id } = await Subscriptions.findById(_id, { id: 1 }).orFail().lean();
      const oldest = await Subscriptions.find({ userId }, { _id: 1 })
        .sort({ id: -1 })
        .skip(limits.pushSubscriptions.max)
        .lean();
      if (oldest.length) await Subscriptions.deleteMany({ _id: { $in: oldest.map((each) => each._id) } });
      return { id };
    },

    async remove(id: number, { id: userId }: Caller): Promise<void> {
      await Subscriptions.deleteOne({ userId, id });
    },

    async erase(userId: number): Promise<void> {
      await Subscriptions.deleteMany({ userId });
    },

    async removeById(_id: string): Promise<void> {
      await Subscriptions.deleteOne({ _id });
    },

    async end({ userId, tokenId, issuedBefore, generation }: RevocationData): Promise<void> {
      await Subscriptions.deleteMany({
        userId,
        ...(tokenId !== null && { tokenId }),
        ...(generation && { $or: [{ generation: { $lt: generation } }, { generation: null }] }),
        ...(!generation && issuedBefore !== null && { issuedAt: { $lt: new Date(issuedBefore) } }),
      });
    },

    of: (userIds: number[]): Promise<PushSubscriptionDocument[]> =>
      Subscriptions.find({ userId: { $in: userIds } }).lean(),
  };
}
