import { createHash, randomBytes } from 'node:crypto';
import type { Model } from 'mongoose';
import type { LoginCode } from './login-code.model.ts';

export const loginCodeLifetimeMs = 60_000;
/** Long enough to say why, too. */
export const appealCodeLifetimeMs = 10 * 60_000;

/** Where others have what a browser keeps, which is never as short. */
const forAppeals = 'appeal';

const hashOf = (code: string, binding: string) =>
  createHash('sha256').update(`${code}.${binding}`).digest('hex');

export type LoginCodes = ReturnType<typeof createLoginCodes>;

/**
 * One-time codes for what somebody proved: of Google, from a redirect to the page, each bound to what only that browser has;
 * and of who is suspended, for an appeal.
 */
export function createLoginCodes(model: Model<LoginCode>) {
  const give = async (
    stands: Pick<LoginCode, 'accountId' | 'googleId'>,
    binding: string,
    lifetimeMs = loginCodeLifetimeMs,
  ): Promise<string> => {
    const code = randomBytes(32).toString('base64url');
    const expiresAt = new Date(Date.now() + lifetimeMs);
    await model.create({ ...stands, _id: hashOf(code, binding), expiresAt });
    return code;
  };
  const good = (code: string, binding: string) => ({
    _id: hashOf(code, binding),
    expiresAt: { $gt: new Date() },
  });

  return {
    /** For a finished sign-in. */
    give: (accountId: number, binding: string) => give({ accountId }, binding),
    /** For a Google account that is to get into this one; it lets nobody in. */
    giveLink: (accountId: number, googleId: string, binding: string) =>
      give({ accountId, googleId }, binding),
    /** For an appeal of who proved that the account is theirs; it lets nobody in. */
    giveAppeal: (accountId: number) => give({ accountId }, forAppeals, appealCodeLifetimeMs),
    /** None of an account is good any more. */
    async forget(accountId: number): Promise<void> {
      await model.deleteMany({ accountId });
    },
    /** The account a code stands for; nothing when it was swapped already, has run out or never was. */
    async take(code: string, binding: string): Promise<number | undefined> {
      const taken = await model.findOneAndDelete(good(code, binding)).lean();
      return taken?.accountId;
    },
    /** The account that a code appeals for; nothing as with `take`. */
    async takeAppeal(code: string): Promise<number | undefined> {
      const taken = await model.findOneAndDelete(good(code, forAppeals)).lean();
      return taken?.accountId;
    },
    /** The Google account that is to be linked with this one; nothing when the code is another's, or not good. */
    async takeLink(code: string, binding: string, accountId: number): Promise<string | undefined> {
      const taken = await model.findOneAndDelete({ ...good(code, binding), accountId }).lean();
      return taken?.googleId ?? undefined;
    },
  };
}
