import { type Connection, type Model, Schema } from 'mongoose';

/** A one-time code that stands for a finished Google sign-in until the page swaps it for a token. */
export interface LoginCode {
  /** SHA-256 of the code and what it is bound to, so that the store alone lets nobody in. */
  _id: string;
  accountId: number;
  expiresAt: Date;
}

const loginCodeSchema = new Schema<LoginCode>({
  _id: { type: String, required: true },
  accountId: { type: Number, required: true },
  expiresAt: { type: Date, required: true },
});
loginCodeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const loginCodeModel = (connection: Connection): Model<LoginCode> =>
  connection.model<LoginCode>('LoginCode', loginCodeSchema, 'login_codes');
