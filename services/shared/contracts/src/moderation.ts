import { z } from 'zod';
import { operation } from './operation.ts';
import { Cursor, Id, IdText, limit, Moment } from './primitives.ts';
import { reportReasons } from './report-reasons.ts';
import { freeText } from './text.ts';
import { textLimits } from './text-limits.ts';
import { PublicUser } from './users.ts';

/** What can be reported. */
export const subjectKinds = ['challenge', 'user', 'message'] as const;
export const SubjectKind = z.enum(subjectKinds);
export type SubjectKind = z.infer<typeof SubjectKind>;

const ReportReason = z.enum(reportReasons);

/** Whether others see something: `archived` are challenges whose time is over. */
export const Status = z.enum(['live', 'hidden', 'archived']).meta({ id: 'Status' });
export type Status = z.infer<typeof Status>;

const words = freeText(textLimits.report);
const someWords = words.min(1, 'must not be empty');

/** Of one thing there is one case: its kind and its id. */
const CaseId = z.string().regex(/^(challenge|user|message)-[1-9]\d{0,15}$/, 'must name a case');

/** What the log is about: a case, or what a person earned with a challenge. */
const LoggedId = z
  .string()
  .regex(
    /^((challenge|user|message)-[1-9]\d{0,15}|points(-[1-9]\d{0,15}){2})$/,
    'must name a case, or points',
  );

/** A thing as it was when it was reported. */
export const Snapshot = z
  .object({
    title: z.string().meta({ description: 'A challenge’s name, a username; none for a message.' }),
    text: z.string(),
    place: z.string(),
    picture: z.string().optional(),
  })
  .meta({ id: 'Snapshot' });
export type Snapshot = z.infer<typeof Snapshot>;

export const NewReport = z
  .object({
    kind: SubjectKind,
    id: Id,
    reason: ReportReason,
    words: words.default(''),
    conversationId: Id.optional().meta({ description: 'Of a message, which only its two can report.' }),
  })
  .refine(({ kind, conversationId }) => kind !== 'message' || conversationId !== undefined, {
    path: ['conversationId'],
    error: 'must be said for a message',
  })
  .meta({ id: 'NewReport' });
export type NewReport = z.output<typeof NewReport>;

/** What a browser has to find before somebody without an account may write (ADR 32). */
export const Puzzle = z
  .object({
    nonce: z.string(),
    bits: z.int().positive().meta({
      description:
        'A number is wanted with which SHA-256 of `nonce:number` begins with so many bits that are zero.',
    }),
    until: Moment,
    answerDays: z.int().positive().meta({ description: 'In so many days what is written is answered.' }),
  })
  .meta({ id: 'Puzzle' });
export type Puzzle = z.infer<typeof Puzzle>;

/** Somebody whose place a challenge is at wants it to go. */
export const NewPlaceRequest = z
  .object({
    challengeId: Id,
    words: someWords,
    email: z.email('must be an email address').max(textLimits.requesterEmail),
    nonce: z.string().max(200),
    solution: z.int().nonnegative(),
  })
  .meta({ id: 'NewPlaceRequest' });
export type NewPlaceRequest = z.output<typeof NewPlaceRequest>;

/** What becomes of a thing that was reported. */
export const decisionKinds = ['dismiss', 'restore', 'hide', 'delete', 'suspend', 'uphold'] as const;
export const DecisionKind = z.enum(decisionKinds).meta({
  description:
    'dismiss: nothing was wrong. restore: it is shown again, or may log in again. uphold: it stays as it was decided before.',
});
export type DecisionKind = z.infer<typeof DecisionKind>;

/** What an admin makes of points that wait (users). */
export const pointsDecisions = ['release', 'withdraw'] as const;

/** The longest suspension, in days. */
export const maxSuspensionDays = 365;

const Person = PublicUser.pick({ id: true, username: true });

/** What others see of the thing of a case now. */
const subjectState = z.enum(['live', 'hidden', 'deleted']);
export type SubjectState = z.infer<typeof subjectState>;

/** All that was reported of one thing. */
export const ModerationCase = z
  .object({
    id: CaseId,
    kind: SubjectKind,
    subjectId: Id,
    concerned: Person.nullable().meta({ description: 'Whose it is; none once they are deleted.' }),
    open: z.boolean(),
    state: subjectState,
    suspendedUntil: Moment.nullable(),
    reports: z.int().nonnegative().meta({ description: 'Since it was last decided.' }),
    weight: z.int().nonnegative().meta({
      description:
        'How many in good standing report it; an appeal, or the owner of a place, counts as three.',
    }),
    openedAt: Moment,
    answerBy: Moment.nullable().meta({ description: 'By then the owner of a place is to be answered.' }),
    appeal: z.object({ words: z.string(), at: Moment }).nullable(),
    snapshot: Snapshot,
  })
  .meta({ id: 'ModerationCase' });
export type ModerationCase = z.infer<typeof ModerationCase>;

/** One report, for admins. */
export const FiledReport = z
  .object({
    id: z.string(),
    by: Person.nullable().meta({ description: 'None: somebody without an account, or who is deleted.' }),
    reason: z.enum([...reportReasons, 'place']),
    words: z.string(),
    at: Moment,
    email: z.string().nullable().meta({ description: 'Kept until it is answered.' }),
    counts: z.boolean().meta({ description: 'Whether its reporter is in good standing.' }),
    snapshot: Snapshot,
  })
  .meta({ id: 'FiledReport' });
export type FiledReport = z.infer<typeof FiledReport>;

/** A line of the audit log: it is written once and stays. */
export const AuditLine = z
  .object({
    id: z.string(),
    caseId: LoggedId,
    action: z.enum([...decisionKinds, ...pointsDecisions, 'note', 'appeal']),
    by: Person.nullable().meta({ description: 'The admin; none where three reports hid it.' }),
    at: Moment,
    until: Moment.nullable(),
    note: z.string(),
  })
  .meta({ id: 'AuditLine' });
export type AuditLine = z.infer<typeof AuditLine>;

/** A case with all that belongs to it. */
export const WholeCase = ModerationCase.extend({
  filed: z.array(FiledReport).meta({ description: 'The newest first; 100 at most.' }),
  audit: z.array(AuditLine),
}).meta({ id: 'WholeCase' });
export type WholeCase = z.infer<typeof WholeCase>;

/** What was decided about something of the caller's: who reported it, and who decided, is not said. */
export const OwnDecision = z
  .object({
    id: z.string(),
    caseId: LoggedId,
    kind: z.enum([...subjectKinds, 'points']),
    subjectId: Id.meta({ description: 'Of points, the challenge that they came from.' }),
    title: z.string(),
    action: z.enum([...decisionKinds, ...pointsDecisions, 'appeal']),
    byReports: z.boolean().meta({ description: 'Three reports hid it; an admin will look.' }),
    at: Moment,
    until: Moment.nullable(),
    mayAppeal: z.boolean(),
    reason: z.string().optional().meta({ description: 'Why points were taken back.' }),
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
    summary: 'Report a challenge, a person or a message; again it is the same report',
    body: NewReport,
    status: [201, 200],
    answer: z.object({ kind: SubjectKind, id: Id, reason: ReportReason, at: Moment }),
    problems: [
      'unauthenticated',
      'challenge-not-found',
      'user-not-found',
      'conversation-not-found',
      'message-not-found',
      'forbidden',
    ],
  }),
  getPuzzle: operation({
    service: 'moderation',
    method: 'GET',
    path: '/api/reports/puzzle',
    access: 'public',
    summary: 'What a browser has to find before somebody without an account may write',
    status: [200],
    answer: Puzzle,
    problems: [],
  }),
  requestForPlace: operation({
    service: 'moderation',
    method: 'POST',
    path: '/api/reports/place',
    access: 'public',
    creates: true,
    weight: 3,
    summary: 'Ask for a challenge to go, as the owner of its place; it is answered by e-mail',
    body: NewPlaceRequest,
    status: [201],
    answer: z.object({ answerBy: Moment }),
    problems: ['challenge-not-found', 'puzzle-unsolved'],
  }),
  listOwnDecisions: operation({
    service: 'moderation',
    method: 'GET',
    path: '/api/moderation/decisions',
    access: 'member',
    summary: 'What was decided about what is the caller’s, the newest first',
    query: z.object({ limit: limit(100).optional(), cursor: Cursor.optional() }),
    status: [200],
    answer: z.array(OwnDecision),
    problems: ['unauthenticated'],
  }),
  appeal: operation({
    service: 'moderation',
    method: 'POST',
    path: '/api/moderation/appeals',
    access: 'member',
    creates: true,
    summary: 'Appeal, once, against what was decided about what is the caller’s',
    body: z.object({ caseId: CaseId, words: someWords }),
    status: [201],
    answer: z.object({ at: Moment }),
    problems: ['unauthenticated', 'forbidden', 'case-not-found', 'nothing-to-appeal'],
  }),
  listCases: operation({
    service: 'moderation',
    method: 'GET',
    path: '/api/moderation/cases',
    access: 'admin',
    summary: 'What waits for a decision: what weighs most first, or what has waited longest',
    query: z.object({
      sort: z.enum(['weight', 'age']).optional().meta({ description: 'weight: when missing.' }),
      limit: limit(100).optional(),
      cursor: Cursor.optional(),
    }),
    status: [200],
    answer: z.array(ModerationCase),
    problems: adminProblems,
  }),
  getCase: operation({
    service: 'moderation',
    method: 'GET',
    path: '/api/moderation/cases/{id}',
    access: 'admin',
    summary: 'One case, with its reports and what was decided',
    params: z.object({ id: CaseId }),
    status: [200],
    answer: WholeCase,
    problems: [...adminProblems, 'case-not-found'],
  }),
  decide: operation({
    service: 'moderation',
    method: 'POST',
    path: '/api/moderation/cases/{id}/decisions',
    access: 'admin',
    creates: true,
    summary: 'Decide a case, suspend whose it is, or leave a note for other admins',
    params: z.object({ id: CaseId }),
    body: z
      .object({
        action: z.enum([...decisionKinds, 'note']),
        days: z.int().min(1).max(maxSuspensionDays).optional().meta({ description: 'Of a suspension' }),
        note: words.default(''),
      })
      .refine(({ action, days }) => action !== 'suspend' || days !== undefined, {
        path: ['days'],
        error: 'must be said for a suspension',
      })
      .refine(({ action, note }) => action !== 'note' || note, {
        path: ['note'],
        error: 'must not be empty',
      }),
    status: [200],
    answer: WholeCase,
    problems: [...adminProblems, 'case-not-found', 'nothing-to-decide'],
  }),
  listAudit: operation({
    service: 'moderation',
    method: 'GET',
    path: '/api/moderation/audit',
    access: 'admin',
    summary: 'What was decided and noted, the newest first',
    query: z.object({ by: IdText.optional(), limit: limit(100).optional(), cursor: Cursor.optional() }),
    status: [200],
    answer: z.array(AuditLine),
    problems: adminProblems,
  }),
};
