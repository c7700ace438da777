import type { MailLanguage } from '@wayquest/platform/mail';
import { addOutbox, type WithOutbox } from '@wayquest/platform/outbox';
import { type Connection, type Model, Schema } from 'mongoose';

/** That an account waits for the approval of an admin. */
export interface Waiting {
  /** When the account is deleted, unless it is approved. */
  until: Date;
  /** Where its person wants to be told. It is not confirmed, so it is for nothing else. */
  email?: string | null;
  /** The language of the sign-up, for that mail. */
  language: MailLanguage;
}

/** An account: how somebody logs in, and what they may do. */
export interface Account extends WithOutbox {
  _id: number;
  username: string;
  /** The username in lower case. */
  usernameKey: string;
  /** Absent for somebody who has only used another login. */
  passwordHash?: string | null;
  /** Google's subject id. Unlike an email address it is never reassigned. */
  googleId?: string | null;
  /** The identity at the OpenID Connect provider: its issuer and its subject id, with a space between them. */
  openId?: string | null;
  /** The ids of the valid passkeys. A stored credential that is not listed here is invalid. */
  passkeys?: string[] | null;
  /** A confirmed address: links for a new password are sent there, and nowhere else. */
  email?: string | null;
  /** The address in lower case. Several accounts may have the same. */
  emailKey?: string | null;
  admin: boolean;
  /** Until it is approved nobody can log in to it, and no other service knows of it. */
  waiting?: Waiting | null;
  /** When it will be deleted, unless its owner logs in before. */
  deletesAt?: Date | null;
  /** Logins are rejected until then. */
  suspendedUntil?: Date | null;
  /** The version of that decision, and whether its owner has appealed. */
  decision?: number | null;
  appealed?: boolean | null;
  /** Missing in accounts of older versions. */
  registeredAt?: Date | null;
  /** Incremented by each change, for optimistic concurrency. */
  version: number;
  changedAt: Date;
  /** Tokens issued before this time are revoked; new ones are never dated earlier. */
  tokensValidFrom: Date;
  /** How often all tokens were revoked; missing in accounts of older versions. */
  generation?: number;
  /** Recognizes a repeat of the call that created it. */
  idempotencyKey?: string | null;
}

export type AccountModel = Model<Account>;

/** The fields with an identity at another site. */
export type IdentityField = 'googleId' | 'openId';

/** Returns the field of an identity, to find it or to change it. */
export const identityFields = <T extends string | null>(
  field: IdentityField,
  identity: T,
): Partial<Record<IdentityField, T>> =>
  field === 'googleId' ? { googleId: identity } : { openId: identity };

const waitingSchema = new Schema<Waiting>(
  {
    until: { type: Date, required: true },
    email: String,
    language: { type: String, required: true },
  },
  { _id: false },
);

const accountSchema = new Schema<Account>({
  _id: { type: Number, required: true },
  username: { type: String, required: true },
  usernameKey: { type: String, required: true },
  passwordHash: String,
  googleId: String,
  openId: String,
  passkeys: { type: [String], default: undefined },
  email: String,
  emailKey: String,
  admin: { type: Boolean, required: true },
  waiting: waitingSchema,
  deletesAt: Date,
  suspendedUntil: Date,
  decision: Number,
  appealed: Boolean,
  registeredAt: Date,
  version: { type: Number, required: true },
  changedAt: { type: Date, required: true },
  tokensValidFrom: { type: Date, required: true },
  generation: Number,
  idempotencyKey: String,
});
addOutbox(accountSchema);
accountSchema.set('shardKey', { _id: 'hashed' });
accountSchema.index({ usernameKey: 1 }, { unique: true });
accountSchema.index({ googleId: 1 }, { unique: true, sparse: true });
accountSchema.index({ openId: 1 }, { unique: true, sparse: true });
accountSchema.index({ emailKey: 1 }, { sparse: true });
accountSchema.index({ deletesAt: 1 }, { sparse: true });
accountSchema.index({ admin: 1, usernameKey: 1 });
// Few accounts have one of these.
accountSchema.index({ 'waiting.until': 1 }, { sparse: true });
accountSchema.index({ suspendedUntil: 1 }, { sparse: true });

export const usernameKey = (username: string): string => username.trim().toLowerCase();

export const emailKey = (email: string): string => email.toLowerCase();

export const accountModel = (connection: Connection): AccountModel =>
  connection.model<Account>('Account', accountSchema, 'accounts');
