import { type Connection, type Model, Schema } from 'mongoose';

/** An issued token, by its id. It may have been revoked since. */
export interface StoredSession {
  _id: string;
  userId: number;
  browser: string;
  system: string;
  issuedAt: Date;
  /** Of its token, see `TokenClaims`. */
  generation?: number;
  expiresAt: Date;
}

const openSessionSchema = new Schema<StoredSession>({
  _id: { type: String, required: true },
  userId: { type: Number, required: true },
  browser: String,
  system: String,
  issuedAt: { type: Date, required: true },
  generation: Number,
  expiresAt: { type: Date, required: true },
});
openSessionSchema.set('shardKey', { _id: 'hashed' });
openSessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
openSessionSchema.index({ userId: 1, issuedAt: -1 });

/** Returns the model of sessions that have not ended. */
export const openSessionModel = (connection: Connection): Model<StoredSession> =>
  connection.model<StoredSession>('OpenSession', openSessionSchema, 'open_sessions');
