import { createHash } from 'node:crypto';
import { type Connection, Schema } from 'mongoose';

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
export function createPasskeyChallenges(connection: Connection): PasskeyChallenges {
  const Challenge = connection.model<PendingChallenge>('PasskeyChallenge', schema, 'passkey_challenges');
  return {
    async store(challenge: string): Promise<void> {
      await Challenge.create({
        _id: hashOf(challenge),
        expiresAt: new Date(Date.now() + challengeLifetimeMs),
      });
    },
    async consume(challenge: string): Promise<boolean> {
      const pending = { _id: hashOf(challenge), expiresAt: { $gt: new Date() } };
      return (await Challenge.deleteOne(pending)).deletedCount > 0;
    },
  };
}
