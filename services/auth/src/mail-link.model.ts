import { type Connection, type Model, Schema } from 'mongoose';

export type LinkPurpose = 'reset' | 'confirm';

/** A link that was sent to an address: its holder can read the mails there. */
export interface MailLink {
  /** SHA-256 of the link's secret, so that the store alone gives no access. */
  _id: string;
  purpose: LinkPurpose;
  accountId: number;
  /** Where it was sent. */
  email: string;
  expiresAt: Date;
}

const mailLinkSchema = new Schema<MailLink>({
  _id: { type: String, required: true },
  purpose: { type: String, required: true },
  accountId: { type: Number, required: true },
  email: { type: String, required: true },
  expiresAt: { type: Date, required: true },
});
mailLinkSchema.set('shardKey', { _id: 'hashed' });
mailLinkSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
mailLinkSchema.index({ accountId: 1 });

export const mailLinkModel = (connection: Connection): Model<MailLink> =>
  connection.model<MailLink>('MailLink', mailLinkSchema, 'mail_links');
