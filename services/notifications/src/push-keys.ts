import type { ServiceKit } from '@wayquest/platform/service';
import { upsert } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';
import webPush from 'web-push';

interface PushKeysDocument {
  _id: 'vapid';
  publicKey: string;
  privateKey: string;
}

const schema = new Schema<PushKeysDocument>({
  _id: { type: String, required: true },
  publicKey: { type: String, required: true },
  privateKey: { type: String, required: true },
});
schema.set('shardKey', { _id: 'hashed' });

const pushKeysModel = (connection: Connection) =>
  connection.model<PushKeysDocument>('PushKeys', schema, 'push_keys');

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
