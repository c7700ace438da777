import type { FiledReport, Snapshot } from '@wayquest/contracts';
import type { MailLanguage } from '@wayquest/platform/mail';
import { addOutbox, type WithOutbox } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';

export interface ReportDocument extends WithOutbox {
  /** `<reporter>:<case>`, so that nobody reports a subject twice; `place:<nonce>` without an account. */
  _id: string;
  caseId: string;
  concernedId: number;
  /** Missing without an account. */
  userId?: number | null;
  reason: FiledReport['reason'];
  words: string;
  at: Date;
  /** Whether its reporter was in good standing. */
  counts: boolean;
  /** The admin's decision on it. */
  outcome?: 'dismissed' | 'upheld' | null;
  /** Where the owner of a place gets an answer, and the deadline; deleted with the answer. */
  email?: string | null;
  respondBy?: Date | null;
  /** The language of that answer; missing in older versions. Deleted with the address. */
  language?: MailLanguage | null;
  snapshot: Snapshot;
}

const schema = new Schema<ReportDocument>({
  _id: { type: String, required: true },
  caseId: { type: String, required: true },
  concernedId: { type: Number, required: true },
  userId: Number,
  reason: { type: String, required: true },
  words: String,
  at: { type: Date, required: true },
  counts: { type: Boolean, required: true },
  outcome: String,
  email: String,
  respondBy: Date,
  language: String,
  snapshot: { type: Schema.Types.Mixed, required: true },
});
addOutbox(schema);
schema.set('shardKey', { _id: 'hashed' });
schema.index({ caseId: 1, at: 1 });
schema.index({ userId: 1, outcome: 1 }, { sparse: true });

export const reportModel = (connection: Connection) =>
  connection.model<ReportDocument>('Report', schema, 'reports');
