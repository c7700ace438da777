import type { DecisionKind, FiledReport, Snapshot, SubjectKind, SubjectState } from '@wayquest/contracts';
import type { MailLanguage } from '@wayquest/platform/mail';
import { addOutbox, type WithOutbox } from '@wayquest/platform/outbox';
import { type Connection, Schema } from 'mongoose';

export interface ReportDocument extends WithOutbox {
  /**
   * `<reporter>:<case>`, with the time of the decision that it follows, if any: nobody has two open reports of a subject.
   * `place:<nonce>` without an account.
   */
  _id: string;
  caseId: string;
  affectedUserId: number;
  /** Missing without an account. */
  userId?: number | null;
  reason: FiledReport['reason'];
  comment: string;
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

const reportSchema = new Schema<ReportDocument>({
  _id: { type: String, required: true },
  caseId: { type: String, required: true },
  affectedUserId: { type: Number, required: true },
  userId: Number,
  reason: { type: String, required: true },
  comment: String,
  at: { type: Date, required: true },
  counts: { type: Boolean, required: true },
  outcome: String,
  email: String,
  respondBy: Date,
  language: String,
  snapshot: { type: Schema.Types.Mixed, required: true },
});
addOutbox(reportSchema);
reportSchema.set('shardKey', { _id: 'hashed' });
reportSchema.index({ caseId: 1, at: 1 });
reportSchema.index({ userId: 1, outcome: 1 }, { sparse: true });

export const reportModel = (connection: Connection) =>
  connection.model<ReportDocument>('Report', reportSchema, 'reports');

/** A decision, stored in its case. */
export interface Decision {
  /** The version of the case that it created. */
  version: number;
  action: DecisionKind | 'appeal';
  /** The admin, or the person who appealed; missing if reports hid it, or the operator decided by a command. */
  by?: number | null;
  at: Date;
  until?: Date | null;
  note: string;
  /** For the owner of the content; missing in older versions. */
  reason?: string | null;
  /** Recognizes a repeat of the call that made it. */
  idempotencyKey?: string | null;
}

/** All reports of one subject. */
export interface CaseDocument extends WithOutbox {
  /** `<kind>-<id>`. */
  _id: string;
  kind: SubjectKind;
  subjectId: number;
  /** The subject's owner. */
  affectedUserId: number;
  version: number;
  open: boolean;
  state: SubjectState;
  suspendedUntil?: Date | null;
  reports: number;
  weight: number;
  openedAt: Date;
  respondBy?: Date | null;
  /** Earlier reports no longer count. */
  decidedAt?: Date | null;
  /** An admin found nothing wrong: reports alone no longer hide it. */
  cleared: boolean;
  appeal?: { comment: string; at: Date } | null;
  /** The appeal against the current decision; a new one can be appealed again. */
  appealed: boolean;
  decisions: Decision[];
  snapshot: Snapshot;
}

const decision = new Schema<Decision>(
  {
    version: { type: Number, required: true },
    action: { type: String, required: true },
    by: Number,
    at: { type: Date, required: true },
    until: Date,
    note: String,
    reason: String,
    idempotencyKey: String,
  },
  { _id: false },
);

const schema = new Schema<CaseDocument>({
  _id: { type: String, required: true },
  kind: { type: String, required: true },
  subjectId: { type: Number, required: true },
  affectedUserId: { type: Number, required: true },
  version: { type: Number, required: true },
  open: { type: Boolean, required: true },
  state: { type: String, required: true },
  suspendedUntil: Date,
  reports: { type: Number, required: true },
  weight: { type: Number, required: true },
  openedAt: { type: Date, required: true },
  respondBy: Date,
  decidedAt: Date,
  cleared: { type: Boolean, required: true },
  appeal: new Schema({ comment: String, at: Date }, { _id: false }),
  appealed: { type: Boolean, required: true },
  decisions: [decision],
  snapshot: { type: Schema.Types.Mixed, required: true },
});
addOutbox(schema);
schema.set('shardKey', { _id: 'hashed' });
schema.index({ open: 1, weight: -1, openedAt: 1, _id: 1 });
schema.index({ open: 1, openedAt: 1, _id: 1 });
schema.index({ affectedUserId: 1 });

export const caseModel = (connection: Connection) => connection.model<CaseDocument>('Case', schema, 'cases');
