import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '@wayquest/platform/async';
import { type Connection, type Model, Schema } from 'mongoose';
import type { Account, IdentityField } from './account.model.ts';

/**
 * A one-time code for a proven identity, to be exchanged for a token, a link, or an appeal. One for a link has the identity
 * to link.
 */
interface LoginCode extends Pick<Account, IdentityField> {
  /** SHA-256 of the code and its binding, so that the store alone logs nobody in. */
  _id: string;
  accountId: number;
  expiresAt: Date;
}

const loginCodeSchema = new Schema<LoginCode>({
  _id: { type: String, required: true },
  accountId: { type: Number, required: true },
  googleId: String,
  openId: String,
  expiresAt: { type: Date, required: true },
});
loginCodeSchema.set('shardKey', { _id: 'hashed' });
loginCodeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
loginCodeSchema.index({ accountId: 1 });

export const loginCodeModel = (connection: Connection): Model<LoginCode> =>
  connection.model<LoginCode>('LoginCode', loginCodeSchema, 'login_codes');

export const loginCodeLifetimeMs = 60_000;
/** Long enough to write an appeal, too. */
export const appealCodeLifetimeMs = 10 * 60_000;

/** Takes the place of the browser binding, which is always longer. */
const appealBinding = 'appeal';

const hashOf = (code: string, binding: string) =>
  createHash('sha256').update(`${code}.${binding}`).digest('hex');

/**
 * One-time codes for proven identities: for other sites, from the callback to the page, each bound to a cookie of that browser;
 * and for suspended people, for an appeal.
 */
export interface LoginCodes {
  /** For a finished sign-in. */
  create(accountId: number, binding: string): Promise<string>;
  /** For linking an identity to this account; it logs nobody in. */
  createForLink(
    accountId: number,
    identity: Pick<LoginCode, IdentityField>,
    binding: string,
  ): Promise<string>;
  /** For an appeal; it logs nobody in. */
  createForAppeal(accountId: number): Promise<string>;
  /** Revokes all codes of an account. */
  erase(accountId: number): Promise<void>;
  /** The account of a code; undefined if it was used, has expired or never existed. */
  consume(code: string, binding: string): Promise<number | undefined>;
  /** The account of an appeal's code; undefined as with `consume`. */
  consumeForAppeal(code: string): Promise<number | undefined>;
  /** The identity to link to this account; undefined if the code is another account's or field's, or invalid. */
  consumeForLink(
    field: IdentityField,
    code: string,
    binding: string,
    accountId: number,
  ): Promise<string | undefined>;
}

/** Creates the codes in the service's database, which contains hashes of them only. */
export function createLoginCodes(model: Model<LoginCode>, clock: Clock): LoginCodes {
  const create = async (
    content: Pick<LoginCode, 'accountId' | IdentityField>,
    binding: string,
    lifetimeMs = loginCodeLifetimeMs,
  ): Promise<string> => {
    const code = randomBytes(32).toString('base64url');
    const expiresAt = new Date(clock.now() + lifetimeMs);
    await model.create({ ...content, _id: hashOf(code, binding), expiresAt });
    return code;
  };
  const validFilter = (code: string, binding: string) => ({
    _id: hashOf(code, binding),
    expiresAt: { $gt: new Date(clock.now()) },
  });

  return {
    create: (accountId: number, binding: string) => create({ accountId }, binding),
    createForLink: (accountId: number, identity: Pick<LoginCode, IdentityField>, binding: string) =>
      create({ ...identity, accountId }, binding),
    createForAppeal: (accountId: number) => create({ accountId }, appealBinding, appealCodeLifetimeMs),
    async erase(accountId: number): Promise<void> {
      await model.deleteMany({ accountId });
    },
    async consume(code: string, binding: string): Promise<number | undefined> {
      const consumed = await model.findOneAndDelete(validFilter(code, binding)).lean();
      return consumed?.accountId;
    },
    async consumeForAppeal(code: string): Promise<number | undefined> {
      const consumed = await model.findOneAndDelete(validFilter(code, appealBinding)).lean();
      return consumed?.accountId;
    },
    async consumeForLink(field, code, binding, accountId) {
      const consumed = await model.findOneAndDelete({ ...validFilter(code, binding), accountId }).lean();
      return consumed?.[field] ?? undefined;
    },
  };
}
