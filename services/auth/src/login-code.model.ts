import { type Connection, type Model, Schema } from 'mongoose';

/** A one-time code for a proven identity, to be exchanged for a token, a link, or an appeal. */
export interface LoginCode {
  /** SHA-256 of the code and its binding, so that the store alone logs nobody in. */
  _id: string;
  accountId: number;
  /** The Google id to link; missing for a sign-in. */
  googleId?: string | null;
  expiresAt: Date;
}

const loginCodeSchema = new Schema<LoginCode>({
  _id: { type: String, required: true },
  accountId: { type: Number, required: true },
  googleId: String,
  expiresAt: { type: Date, required: true },
});
loginCodeSchema.set('shardKey', { _id: 'hashed' });
loginCodeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
loginCodeSchema.index({ accountId: 1 });

export const loginCodeModel = (connection: Connection): Model<LoginCode> =>
  connection.model<LoginCode>('LoginCode', loginCodeSchema, 'login_codes');
