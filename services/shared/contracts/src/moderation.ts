import { z } from 'zod';
import { emailAddress } from './auth.ts';
import { operation } from './operation.ts';
import { SuggestionTemplate } from './places.ts';
import { Cursor, freeText, Id, IdText, limit, Timestamp } from './primitives.ts';
import { textLimits } from './text.ts';
import { PublicUser } from './users.ts';
import { maxSuspensionDays, reportReasons } from './values.ts';

/** What can be reported. */
export const subjectKinds = ['challenge', 'user', 'message', 'completion'] as const;
export const SubjectKind = z.enum(subjectKinds);
export type SubjectKind = z.infer<typeof SubjectKind>;

const ReportReason = z.enum(reportReasons);

/** Visibility of content; `archived`: a challenge that has ended. */
export const Status = z.enum(['live', 'hidden', 'archived']).meta({ id: 'Status' });
export type Status = z.infer<typeof Status>;

const reportText = freeText(textLimits.report);
const requiredText = reportText.min(1, 'must not be empty');

/** A case id: the kind and id of the reported content, of which there is one case. */
const CaseId = z.string().regex(/^(challenge|user|message|completion)-[1-9]\d{0,15}$/, 'must name a case');

/** The subject of a log entry: a case, or points that a user earned with a challenge. */
const AuditSubjectId = z
  .string()
  .regex(
    /^((challenge|user|message|completion)-[1-9]\d{0,15}|points(-[1-9]\d{0,15}){2})$/,
    'must name a case, or points',
  );

/** Reported content as it was at that time. */
export const Snapshot = z
  .object({
    title: z.string().meta({
      description: 'A challenge’s name, also for a completion, or a username; empty for a message.',
    }),
    text: z.string(),
    place: z.string(),
    picture: z.string().optional(),
    template: SuggestionTemplate.optional().meta({
      description: 'Of `title`, and of `text` of a challenge.',
    }),
  })
  .meta({ id: 'Snapshot' });
export type Snapshot = z.infer<typeof Snapshot>;

export const NewReport = z
  .object({
    kind: SubjectKind,
    id: Id,
    reason: ReportReason,
    comment: reportText.default(''),
    conversationId: Id.optional().meta({
      description: 'For a message, which only its two participants can report.',
    }),
  })
  .refine(({ kind, conversationId }) => kind !== 'message' || conversationId !== undefined, {
    path: ['conversationId'],
    error: 'is required for a message',
  })
  .meta({ id: 'NewReport' });
export type NewReport = z.output<typeof NewReport>;

/** Proof of work for reports without an account (ADR 32). */
export const Puzzle = z
  .object({
    nonce: z.string(),
    bits: z.int().positive().meta({
      description: 'How many leading zero bits SHA-256 of `nonce:number` must have.',
    }),
    until: Timestamp,
    responseDays: z.int().positive().meta({ description: 'Within how many days a report is answered.' }),
  })
  .meta({ id: 'Puzzle' });
export type Puzzle = z.infer<typeof Puzzle>;

/** A takedown request by the owner of a challenge's place. */
export const NewPlaceRequest = z
  .object({
    challengeId: Id,
    comment: requiredText,
    email: emailAddress(textLimits.requesterEmail),
    nonce: z.string().max(200),
    solution: z.int().nonnegative(),
  })
  .meta({ id: 'NewPlaceRequest' });
export type NewPlaceRequest = z.output<typeof NewPlaceRequest>;

/** Decisions about reported content. */
export const decisionKinds = ['dismiss', 'restore', 'hide', 'delete', 'suspend', 'uphold'] as const;
export const DecisionKind = z.enum(decisionKinds).meta({
  description:
    'dismiss: nothing was wrong. restore: the content is visible again, or the user can log in again. uphold: the earlier decision stands.',
});
export type DecisionKind = z.infer<typeof DecisionKind>;

/** Decisions about points under review (users). */
export const pointsDecisions = ['approve', 'revoke'] as const;

const Person = PublicUser.pick({ id: true, username: true });

/** Current visibility of the content of a case. */
const subjectState = z.enum(['live', 'hidden', 'deleted']);
export type SubjectState = z.infer<typeof subjectState>;

/** A case: all reports of one content. */
export const ModerationCase = z
  .object({
    id: CaseId,
    kind: SubjectKind,
    subjectId: Id,
    affectedUser: Person.nullable().meta({
      description: 'The owner of the content; null for a deleted user, and for a suggested challenge.',
    }),
    open: z.boolean(),
    state: subjectState,
    suspendedUntil: Timestamp.nullable(),
    reports: z.int().nonnegative().meta({ description: 'Number of reports since the last decision.' }),
    weight: z.int().nonnegative().meta({
      description: 'Number of reporters in good standing; an appeal or an owner’s request counts as three.',
    }),
    openedAt: Timestamp,
    respondBy: Timestamp.nullable().meta({ description: 'Deadline for answering the owner of the place.' }),
    appeal: z.object({ comment: z.string(), at: Timestamp }).nullable(),
    snapshot: Snapshot,
  })
  .meta({ id: 'ModerationCase' });
export type ModerationCase = z.infer<typeof ModerationCase>;

/** One report, for admins. */
export const FiledReport = z
  .object({
    id: z.string(),
    by: Person.nullable().meta({
      description: 'The reporter; null without an account or for a deleted user.',
    }),
    reason: z.enum([...reportReasons, 'place']),
    comment: z.string(),
    at: Timestamp,
    email: z.string().nullable().meta({ description: 'Stored until it is answered.' }),
    counts: z.boolean().meta({ description: 'Whether the reporter is in good standing.' }),
    snapshot: Snapshot,
  })
  .meta({ id: 'FiledReport' });
export type FiledReport = z.infer<typeof FiledReport>;

/** An entry of the append-only audit log. */
export const AuditEntry = z
  .object({
    id: z.string(),
    caseId: AuditSubjectId,
    title: z.string().optional().meta({
      description: 'In the log of all cases: the name of what the decision is about; absent if it is gone.',
    }),
    template: SuggestionTemplate.optional().meta({ description: 'Of `title`.' }),
    action: z.enum([...decisionKinds, ...pointsDecisions, 'note', 'appeal']),
    by: Person.nullable().meta({
      description:
        'The admin; null if three reports hid it, the operator decided by a command, or the admin deleted their account.',
    }),
    at: Timestamp,
    until: Timestamp.nullable(),
    note: z.string().meta({ description: 'For admins. For points: the reason.' }),
    reason: z.string().optional().meta({ description: 'For the owner of the content.' }),
  })
  .meta({ id: 'AuditLine' });
export type AuditEntry = z.infer<typeof AuditEntry>;

/** A case with its reports and decisions. */
export const CaseDetails = ModerationCase.extend({
  filed: z.array(FiledReport).meta({ description: 'Newest first; at most 100.' }),
  audit: z.array(AuditEntry),
}).meta({ id: 'CaseDetails' });
export type CaseDetails = z.infer<typeof CaseDetails>;

/** A decision about content of the caller, without its reporters and the admin. */
export const OwnDecision = z
  .object({
    id: z.string(),
    caseId: AuditSubjectId,
    kind: z.enum([...subjectKinds, 'points']),
    subjectId: Id.meta({ description: 'For points: the challenge that they were earned with.' }),
    title: z.string(),
    template: SuggestionTemplate.optional().meta({ description: 'Of `title`.' }),
    action: z.enum([...decisionKinds, ...pointsDecisions, 'appeal']),
    byReports: z
      .boolean()
      .meta({ description: 'Whether three reports hid it, before the review of an admin.' }),
    at: Timestamp,
    until: Timestamp.nullable(),
    mayAppeal: z.boolean(),
    reason: z.string().optional().meta({ description: 'The reason of the admin, if they gave one.' }),
  })
  .meta({ id: 'OwnDecision' });
export type OwnDecision = z.infer<typeof OwnDecision>;

const adminProblems = ['unauthenticated', 'admins-only'] as const;

export const moderationOperations = {
  report: operation({
    service: 'moderation',
    method: 'POST',
    path: '/api/reports',
    access: 'member',
    creates: true,
    weight: 3,
    summary:
      'Report a challenge, a user, a message, or the note and photo of a completion (by the id of the participation); a repeated call updates the same report until it is decided, and is a new one afterwards',
    body: NewReport,
    status: [201, 200],
    response: z.object({ kind: SubjectKind, id: Id, reason: ReportReason, at: Timestamp }),
    problems: [
      'unauthenticated',
      'challenge-not-found',
      'user-not-found',
      'conversation-not-found',
      'message-not-found',
      'entry-not-found',
      'forbidden',
    ],
  }),
  getPuzzle: operation({
    service: 'moderation',
    method: 'GET',
    path: '/api/reports/puzzle',
    access: 'public',
    summary: 'Get a proof-of-work puzzle for a request without an account',
    status: [200],
    response: Puzzle,
    problems: [],
  }),
  requestForPlace: operation({
    service: 'moderation',
    method: 'POST',
    path: '/api/reports/place',
    access: 'public',
    creates: true,
    weight: 3,
    summary: 'Request the removal of a challenge as the owner of its place; it is answered by e-mail',
    body: NewPlaceRequest,
    status: [201],
    response: z.object({ respondBy: Timestamp }),
    problems: ['challenge-not-found', 'puzzle-unsolved'],
  }),
  listOwnDecisions: operation({
    service: 'moderation',
    method: 'GET',
    path: '/api/moderation/decisions',
    access: 'member',
    summary: 'List decisions about the caller’s content, newest first',
    query: z.object({ limit: limit(100).optional(), cursor: Cursor.optional() }),
    status: [200],
    response: z.array(OwnDecision),
    problems: ['unauthenticated'],
  }),
  appeal: operation({
    service: 'moderation',
    method: 'POST',
    path: '/api/moderation/appeals',
    access: 'member',
    invalidates: ['listOwnDecisions'],
    creates: true,
    summary: 'Appeal once against a decision about the caller’s content',
    body: z.object({ caseId: CaseId, comment: requiredText }),
    status: [201],
    response: z.object({ at: Timestamp }),
    problems: ['unauthenticated', 'forbidden', 'case-not-found', 'nothing-to-appeal'],
  }),
  listCases: operation({
    service: 'moderation',
    method: 'GET',
    path: '/api/moderation/cases',
    access: 'admin',
    summary: 'List open cases, by weight or by age',
    query: z.object({
      sort: z.enum(['weight', 'age']).optional().meta({ description: 'Default: weight.' }),
      limit: limit(100).optional(),
      cursor: Cursor.optional(),
    }),
    status: [200],
    response: z.array(ModerationCase),
    problems: adminProblems,
  }),
  getCase: operation({
    service: 'moderation',
    method: 'GET',
    path: '/api/moderation/cases/{id}',
    access: 'admin',
    summary: 'Get a case with its reports and decisions',
    params: z.object({ id: CaseId }),
    status: [200],
    response: CaseDetails,
    problems: [...adminProblems, 'case-not-found'],
  }),
  decide: operation({
    service: 'moderation',
    method: 'POST',
    path: '/api/moderation/cases/{id}/decisions',
    access: 'admin',
    invalidates: ['listCases', 'listAudit', 'getLogEntry'],
    creates: true,
    summary:
      'Decide a case, suspend the owner of the content, or add a note for other admins. A person whom nobody has reported can be suspended, too',
    params: z.object({ id: CaseId }),
    body: z
      .object({
        action: z.enum([...decisionKinds, 'note']),
        days: z
          .int()
          .min(1)
          .max(maxSuspensionDays)
          .optional()
          .meta({ description: 'Length of a suspension in days' }),
        note: reportText.default('').meta({ description: 'For admins.' }),
        reason: reportText.default('').meta({
          description: 'For the owner of the content; of no use with a note.',
        }),
      })
      .refine(({ action, days }) => action !== 'suspend' || days !== undefined, {
        path: ['days'],
        error: 'is required for a suspension',
      })
      .refine(({ action, note }) => action !== 'note' || note, {
        path: ['note'],
        error: 'must not be empty',
      }),
    status: [200],
    response: CaseDetails,
    problems: [...adminProblems, 'case-not-found', 'user-not-found', 'nothing-to-decide'],
  }),
  listAudit: operation({
    service: 'moderation',
    method: 'GET',
    path: '/api/moderation/audit',
    access: 'admin',
    summary: 'List the audit log, newest first',
    query: z.object({ by: IdText.optional(), limit: limit(100).optional(), cursor: Cursor.optional() }),
    status: [200],
    response: z.array(AuditEntry),
    problems: adminProblems,
  }),
};
