import type { WithLastEventAt } from '@wayquest/platform/replicas';
import { type Connection, Schema } from 'mongoose';

/** Current usernames: a replica of the users service's profiles, fed by events. */
export interface CreatorDocument extends WithLastEventAt {
  _id: number;
  username: string;
  version: number;
}

const schema = new Schema<CreatorDocument>({
  _id: { type: Number, required: true },
  username: { type: String, required: true },
  version: { type: Number, required: true },
  lastEventAt: Date,
});
schema.set('shardKey', { _id: 'hashed' });

export const creatorModel = (connection: Connection) =>
  connection.model<CreatorDocument>('Creator', schema, 'creators');
