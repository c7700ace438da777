import type { ActiveSession } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import Bowser from 'bowser';
import { type Connection, type Model, Schema } from 'mongoose';
import type { Account } from './account.model.ts';
import type { IssuedToken } from './tokens.ts';

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

const maxListed = 100;

/** Maximum stored length: a header can be far longer than any browser's. */
const maxUserAgentLength = 400;

function deviceOf(userAgent: string | undefined): Pick<ActiveSession, 'browser' | 'system'> {
  if (!userAgent) return { browser: '', system: '' };
  const { browser, os } = Bowser.parse(userAgent.slice(0, maxUserAgentLength));
  return { browser: browser.name ?? '', system: os.name ?? '' };
}

/** Sessions of users, with the device details by which they recognize one that isn't theirs. */
export interface OpenSessions {
  add(userId: number, token: IssuedToken, userAgent: string | undefined): Promise<void>;
  find(id: string): Promise<StoredSession | null>;
  /** The sessions of an account that were not ended by a revocation of all tokens. */
  listFor(account: Account, currentId?: string): Promise<ActiveSession[]>;
  erase(userId: number): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Creates the list of sessions that an account's owner can see and end. */
export function createOpenSessions(model: Model<StoredSession>, clock: Clock): OpenSessions {
  return {
    async add(
      userId: number,
      { id, issuedAt, expiresAt, generation }: IssuedToken,
      userAgent: string | undefined,
    ): Promise<void> {
      await model.create({ _id: id, userId, ...deviceOf(userAgent), issuedAt, expiresAt, generation });
    },

    find: (id: string): Promise<StoredSession | null> =>
      model.findOne({ _id: id, expiresAt: { $gt: new Date(clock.now()) } }).lean(),

    async listFor(
      { _id: userId, tokensValidFrom, generation = 0 }: Account,
      currentId?: string,
    ): Promise<ActiveSession[]> {
      const found = await model
        .find({
          userId,
          // The date decides until all tokens are revoked for the first time since tokens have generations.
          ...(generation > 0 ? { generation } : { issuedAt: { $gte: tokensValidFrom } }),
          expiresAt: { $gt: new Date(clock.now()) },
        })
        .sort({ issuedAt: -1 })
        .limit(maxListed)
        .lean();
      return found.map(({ _id: id, browser, system, issuedAt }) => ({
        id,
        browser,
        system,
        since: issuedAt.toISOString(),
        current: id === currentId,
      }));
    },

    async erase(userId: number): Promise<void> {
      await model.deleteMany({ userId });
    },

    async remove(id: string): Promise<void> {
      await model.deleteOne({ _id: id });
    },
  };
}
