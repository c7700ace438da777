import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '@wayquest/platform/async';
import { type Connection, type Model, Schema } from 'mongoose';

type LinkPurpose = 'reset' | 'confirm';

/** A link that was sent to an address, whose holder can read the mails there, or that an operator hands over. */
interface MailLink {
  /** SHA-256 of the link's secret, so that the store alone gives no access. */
  _id: string;
  purpose: LinkPurpose;
  accountId: number;
  /** Where it was sent; missing if an operator hands it over. */
  email?: string | null;
  expiresAt: Date;
}

const mailLinkSchema = new Schema<MailLink>({
  _id: { type: String, required: true },
  purpose: { type: String, required: true },
  accountId: { type: Number, required: true },
  email: String,
  expiresAt: { type: Date, required: true },
});
mailLinkSchema.set('shardKey', { _id: 'hashed' });
mailLinkSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
mailLinkSchema.index({ accountId: 1 });

export const mailLinkModel = (connection: Connection): Model<MailLink> =>
  connection.model<MailLink>('MailLink', mailLinkSchema, 'mail_links');

const hourMs = 60 * 60 * 1_000;
const lifetimes: Record<LinkPurpose, number> = { reset: hourMs, confirm: 72 * hourMs };
/** How long the first password of an account that an admin created can be set: its person did not ask for the link. */
export const passwordLinkMs = 72 * hourMs;

interface LinkOptions {
  /** Where it is sent. */
  email?: string | undefined;
  lifetimeMs?: number;
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

/** Secrets of links: each is valid once, for one purpose, for a limited time. */
export interface MailLinks {
  /** Returns the secret of a new link. */
  create(purpose: LinkPurpose, accountId: number, options?: LinkOptions): Promise<string>;
  find(purpose: LinkPurpose, token: string): Promise<MailLink | null>;
  /** Undefined if it was used, has expired or never existed. */
  consume(purpose: LinkPurpose, token: string): Promise<MailLink | null>;
  /** Revokes all links of an account. */
  erase(accountId: number): Promise<void>;
}

/** Creates the store of one-time links; it contains hashes of them only. */
export function createMailLinks(model: Model<MailLink>, clock: Clock): MailLinks {
  const validFilter = (purpose: LinkPurpose, token: string) => ({
    _id: hashOf(token),
    purpose,
    expiresAt: { $gt: new Date(clock.now()) },
  });
  return {
    async create(
      purpose: LinkPurpose,
      accountId: number,
      { email, lifetimeMs = lifetimes[purpose] }: LinkOptions = {},
    ): Promise<string> {
      const token = randomBytes(32).toString('base64url');
      const expiresAt = new Date(clock.now() + lifetimeMs);
      await model.create({ _id: hashOf(token), purpose, accountId, ...(email && { email }), expiresAt });
      return token;
    },

    find: (purpose: LinkPurpose, token: string): Promise<MailLink | null> =>
      model.findOne(validFilter(purpose, token)).lean(),

    consume: (purpose: LinkPurpose, token: string): Promise<MailLink | null> =>
      model.findOneAndDelete(validFilter(purpose, token)).lean(),

    async erase(accountId: number): Promise<void> {
      await model.deleteMany({ accountId });
    },
  };
}
