import { createHash, randomBytes } from 'node:crypto';
import type { Model } from 'mongoose';
import type { LoginCode } from './login-code.model.ts';

export const loginCodeLifetimeMs = 60_000;

const hashOf = (code: string, binding: string) =>
  createHash('sha256').update(`${code}.${binding}`).digest('hex');

export type LoginCodes = ReturnType<typeof createLoginCodes>;

/** One-time codes that carry a finished sign-in from a redirect to the page, each bound to what only that browser has. */
export function createLoginCodes(model: Model<LoginCode>) {
  return {
    async give(accountId: number, binding: string): Promise<string> {
      const code = randomBytes(32).toString('base64url');
      const expiresAt = new Date(Date.now() + loginCodeLifetimeMs);
      await model.create({ _id: hashOf(code, binding), accountId, expiresAt });
      return code;
    },
    /** The account a code stands for; nothing when it was swapped already, has run out or never was. */
    async take(code: string, binding: string): Promise<number | undefined> {
      const taken = await model
        .findOneAndDelete({ _id: hashOf(code, binding), expiresAt: { $gt: new Date() } })
        .lean();
      return taken?.accountId;
    },
  };
}
