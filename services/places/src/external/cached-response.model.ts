import { type Connection, Schema } from 'mongoose';

/** A cached response of an external server. */
export interface CachedResponseDocument {
  /** The cache key. */
  _id: string;
  /** The response in the domain's shape; null if nothing was found. */
  response: unknown;
  expiresAt: Date;
}

const schema = new Schema<CachedResponseDocument>({
  _id: { type: String, required: true },
  response: Schema.Types.Mixed,
  expiresAt: { type: Date, required: true },
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const cachedResponseModel = (connection: Connection) =>
  connection.model<CachedResponseDocument>('CachedResponse', schema, 'cached_responses');
