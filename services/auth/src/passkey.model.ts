import { createHash } from 'node:crypto';
import type { Clock } from '@wayquest/platform/async';
import { type Connection, type Model, Schema } from 'mongoose';

/** A passkey's credential. It is valid as long as its account lists it (`passkeys`). */
export interface StoredPasskey {
  /** The credential's id, in base64url. */
  _id: string;
  accountId: number;
  /** The name that its owner gave it. */
  name: string;
  /** COSE key (RFC 9052), in base64url. */
  publicKey: string;
  /** Its signature counter, if it has one: a lower one than before indicates a copy. */
  counter: number;
  /** How a browser reaches it. */
  transports: string[];
  madeAt: Date;
  usedAt?: Date | null;
  /** Recognizes a repeat of the call that added it. */
  idempotencyKey?: string | null;
}

const passkeySchema = new Schema<StoredPasskey>({
  _id: { type: String, required: true },
  accountId: { type: Number, required: true },
  name: { type: String, required: true },
  publicKey: { type: String, required: true },
  counter: { type: Number, required: true },
  transports: { type: [String], required: true },
  madeAt: { type: Date, required: true },
  usedAt: Date,
  idempotencyKey: String,
});
passkeySchema.set('shardKey', { _id: 'hashed' });
passkeySchema.index({ accountId: 1, madeAt: 1 });

export const passkeyModel = (connection: Connection): Model<StoredPasskey> =>
  connection.model<StoredPasskey>('Passkey', passkeySchema, 'passkeys');

export const challengeLifetimeMs = 5 * 60 * 1_000;

/** An issued challenge that nobody has signed yet. Its purpose is encrypted in a cookie. */
interface PendingChallenge {
  /** SHA-256 of the challenge. */
  _id: string;
  expiresAt: Date;
}

const schema = new Schema<PendingChallenge>({
  _id: { type: String, required: true },
  expiresAt: { type: Date, required: true },
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const hashOf = (challenge: string) => createHash('sha256').update(challenge).digest('hex');

/** Challenges for passkeys, each valid once. */
export interface PasskeyChallenges {
  store(challenge: string): Promise<void>;
  /** Whether it was issued, has not expired and was not used before. */
  consume(challenge: string): Promise<boolean>;
}

/** Creates the store of WebAuthn challenges, each of which is used once. */
export function createPasskeyChallenges(connection: Connection, clock: Clock): PasskeyChallenges {
  const Challenge = connection.model<PendingChallenge>('PasskeyChallenge', schema, 'passkey_challenges');
  return {
    async store(challenge: string): Promise<void> {
      await Challenge.create({
        _id: hashOf(challenge),
        expiresAt: new Date(clock.now() + challengeLifetimeMs),
      });
    },
    async consume(challenge: string): Promise<boolean> {
      const pending = { _id: hashOf(challenge), expiresAt: { $gt: new Date(clock.now()) } };
      return (await Challenge.deleteOne(pending)).deletedCount > 0;
    },
  };
}
