import { createHash, randomBytes } from 'node:crypto';
import type { Model } from 'mongoose';
import type { LoginCode } from './login-code.model.ts';

const lifetimeMs = 60_000;

const hashOf = (code: string) => createHash('sha256').update(code).digest('hex');

export type LoginCodes = ReturnType<typeof createLoginCodes>;

/** One-time codes that carry a finished sign-in from a redirect to the page. */
export function createLoginCodes(model: Model<LoginCode>) {
  return {
    async give(accountId: number): Promise<string> {
      const code = randomBytes(32).toString('base64url');
      await model.create({ _id: hashOf(code), accountId, expiresAt: new Date(Date.now() + lifetimeMs) });
      return code;
    },
    /** The account a code stands for; nothing when it was swapped already, has run out or never was. */
    async take(code: string): Promise<number | undefined> {
      const taken = await model
        .findOneAndDelete({ _id: hashOf(code), expiresAt: { $gt: new Date() } })
        .lean();
      return taken?.accountId;
    },
  };
}
