import { createHash, randomBytes } from 'node:crypto';
import type { Model } from 'mongoose';
import type { LinkPurpose, MailLink } from './mail-link.model.ts';

const hourMs = 60 * 60 * 1_000;
const lifetimeMs: Record<LinkPurpose, number> = { reset: hourMs, confirm: 72 * hourMs };

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

/** Secrets of links in mails: each is valid once, for one purpose, for a limited time. */
export interface MailLinks {
  create(purpose: LinkPurpose, accountId: number, email: string): Promise<string>;
  find(purpose: LinkPurpose, token: string): Promise<MailLink | null>;
  /** Undefined if it was used, has expired or never existed. */
  consume(purpose: LinkPurpose, token: string): Promise<MailLink | null>;
  /** Revokes all links of an account. */
  erase(accountId: number): Promise<void>;
}

/** Creates the store of one-time links that are sent by mail; it contains hashes of them only. */
export function createMailLinks(model: Model<MailLink>): MailLinks {
  const validFilter = (purpose: LinkPurpose, token: string) => ({
    _id: hashOf(token),
    purpose,
    expiresAt: { $gt: new Date() },
  });
  return {
    async create(purpose: LinkPurpose, accountId: number, email: string): Promise<string> {
      const token = randomBytes(32).toString('base64url');
      const expiresAt = new Date(Date.now() + lifetimeMs[purpose]);
      await model.create({ _id: hashOf(token), purpose, accountId, email, expiresAt });
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
