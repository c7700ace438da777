import { type Connection, type Model, Schema } from 'mongoose';

/** A one-time code that stands for what somebody proved until the page swaps it: for a token, a link, or an appeal. */
export interface LoginCode {
  /** SHA-256 of the code and what it is bound to, so that the store alone lets nobody in. */
  _id: string;
  accountId: number;
  /** Google's id of who is to be linked with the account; none where it is a sign-in. */
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
