import { addOutbox, type WithOutbox } from '@wayquest/platform/store';
import { type Connection, type Model, Schema } from 'mongoose';

/** Who someone is to Wayquest: how they log in, and what they may do. */
export interface Account extends WithOutbox {
  _id: number;
  username: string;
  /** The username without regard to case. */
  usernameKey: string;
  /** None for someone who only ever came through Google. */
  passwordHash?: string | null;
  /** Google's id of the person; an e-mail address can change hands, this can't. */
  googleId?: string | null;
  /** The ids of the passkeys that get in. Those of whom nothing else is kept here do not. */
  passkeys?: string[] | null;
  /** An address that its owner confirmed: links for a new password go there, and nowhere else. */
  email?: string | null;
  /** The address without regard to case. Several accounts may have one. */
  emailKey?: string | null;
  admin: boolean;
  /** When it is deleted, unless its owner logs in before. */
  deletesAt?: Date | null;
  /** Nobody logs in until then. */
  suspendedUntil?: Date | null;
  /** The version of the decision that said so, and whether its owner has appealed against it. */
  decision?: number | null;
  appealed?: boolean | null;
  /** Older versions did not keep it. */
  registeredAt?: Date | null;
  /** Counts the changes, and keeps two at once from overwriting each other. */
  version: number;
  changedAt: Date;
  /** Tokens from before this moment count no more; new ones are never dated earlier. */
  tokensFrom: Date;
  /** How often all tokens were revoked; not in accounts of before it was counted. */
  generation?: number;
  /** What the call that made it is known again by. */
  idempotencyKey?: string | null;
}

export type AccountModel = Model<Account>;

const accountSchema = new Schema<Account>({
  _id: { type: Number, required: true },
  username: { type: String, required: true },
  usernameKey: { type: String, required: true },
  passwordHash: String,
  googleId: String,
  passkeys: { type: [String], default: undefined },
  email: String,
  emailKey: String,
  admin: { type: Boolean, required: true },
  deletesAt: Date,
  suspendedUntil: Date,
  decision: Number,
  appealed: Boolean,
  registeredAt: Date,
  version: { type: Number, required: true },
  changedAt: { type: Date, required: true },
  tokensFrom: { type: Date, required: true },
  generation: Number,
  idempotencyKey: String,
});
addOutbox(accountSchema);
accountSchema.set('shardKey', { _id: 'hashed' });
accountSchema.index({ usernameKey: 1 }, { unique: true });
accountSchema.index({ googleId: 1 }, { unique: true, sparse: true });
accountSchema.index({ emailKey: 1 }, { sparse: true });
accountSchema.index({ deletesAt: 1 }, { sparse: true });

export const usernameKey = (username: string): string => username.trim().toLowerCase();

export const emailKey = (email: string): string => email.toLowerCase();

export const accountModel = (connection: Connection): AccountModel =>
  connection.model<Account>('Account', accountSchema, 'accounts');
