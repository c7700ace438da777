import { isDeepStrictEqual } from 'node:util';
import type {
  DecisionKind,
  Event,
  OperationRequest,
  Operations,
  SubjectKind,
  SubjectState,
} from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import type { Idempotency } from '@wayquest/platform/http';
import { withEvents } from '@wayquest/platform/outbox';
import type { ServiceKit } from '@wayquest/platform/service';
import { retryOnConflict, upsert } from '@wayquest/platform/store';
import type { Caller } from '@wayquest/platform/tokens';
import type { AuditLog } from './audit.ts';
import { type CaseDocument, caseModel, type Decision, reportModel } from './case.model.ts';
import type { OutcomeMails } from './outcome-mails.ts';
import { caseIdOf } from './reports.ts';
import type { Subject, Subjects } from './subjects.ts';

export type StoredCase = Omit<CaseDocument, 'outbox'>;
type DecisionInput = OperationRequest<Operations['decide']>['body'];
type CaseQuery = OperationRequest<Operations['listCases']>['query'];

/** Reports in good standing that hide content until an admin has looked; an appeal, or an owner of a place, counts as many. */
const hideThreshold = 3;

/** Kinds that are hidden automatically by reports: public content, not users or private messages. */
const hiddenByReports: readonly SubjectKind[] = ['challenge', 'completion'];

/** Maximum number of counted reports. */
const maxCounted = 1_000;

const defaultLimit = 20;

const dayMs = 24 * 3_600 * 1_000;

/** The new state of a case, and the decision that leads to it, if any. */
interface CaseUpdate {
  set: Partial<StoredCase>;
  decision?: Omit<Decision, 'version' | 'at'>;
}

const isSuspended = ({ suspendedUntil }: StoredCase, now: number): boolean =>
  !!suspendedUntil && suspendedUntil.getTime() > now;

export const isInEffect = (moderationCase: StoredCase, now: number): boolean =>
  moderationCase.state === 'hidden' || isSuspended(moderationCase, now);

/** Whether this repeats the call of a decision. */
const isMadeBy = ({ decisions }: StoredCase, key: string | null): boolean =>
  key !== null && decisions.some(({ idempotencyKey }) => idempotencyKey === key);

const closedCase = { open: false, reports: 0, weight: 0, respondBy: null } as const;

const reverted = { suspendedUntil: null, cleared: true, appealed: false } as const;

/** The result of an admin's decision. Throws `nothing-to-decide`. */
function applyDecision(
  moderationCase: StoredCase,
  { action, until, now }: { action: DecisionKind; until: Date | undefined; now: number },
): { action: DecisionKind; set: Partial<StoredCase> } {
  const nothingToDecide = new Problem('nothing-to-decide');
  const withState = (state: SubjectState) => ({ action, set: { ...closedCase, state } });
  const isContent = moderationCase.kind !== 'user' && moderationCase.state !== 'deleted';
  switch (action) {
    case 'dismiss':
      if (isInEffect(moderationCase, now))
        return applyDecision(moderationCase, { action: 'restore', until, now });
      return { action, set: { ...closedCase, cleared: true } };
    case 'restore':
      if (!isInEffect(moderationCase, now)) throw nothingToDecide;
      return { action, set: { ...closedCase, ...reverted, state: 'live' } };
    case 'uphold':
      if (!isInEffect(moderationCase, now)) throw nothingToDecide;
      return { action, set: closedCase };
    case 'suspend':
      if (moderationCase.kind !== 'user') throw nothingToDecide;
      return { action, set: { ...closedCase, suspendedUntil: until ?? null, appealed: false } };
    case 'hide':
      if (!isContent) throw nothingToDecide;
      return withState('hidden');
    case 'delete':
      if (!isContent) throw nothingToDecide;
      return withState('deleted');
  }
}

const outcomes: Record<DecisionKind, 'dismissed' | 'upheld'> = {
  dismiss: 'dismissed',
  restore: 'dismissed',
  hide: 'upheld',
  delete: 'upheld',
  suspend: 'upheld',
  uphold: 'upheld',
};

export const queueCursor =
  (sort: CaseQuery['sort']) =>
  ({ weight, openedAt, id }: { weight: number; openedAt: string; id: string }): string =>
    sort === 'age' ? `${openedAt}~${id}` : `${weight}~${openedAt}~${id}`;

/** Filter for cases after a cursor. */
function afterCursor(sort: CaseQuery['sort'], cursor: string | undefined): object {
  const parts = cursor?.split('~') ?? [];
  const [id = '', moment = '', weight] = parts.toReversed();
  const openedAt = new Date(moment);
  if (Number.isNaN(openedAt.getTime())) return {};
  const laterFilters = [{ openedAt: { $gt: openedAt } }, { openedAt, _id: { $gt: id } }];
  if (sort === 'age') return { $or: laterFilters };
  const sameWeight = Number(weight) || 0;
  return {
    $or: [{ weight: { $lt: sameWeight } }, ...laterFilters.map((each) => ({ weight: sameWeight, ...each }))],
  };
}

/** The operations on cases. */
export interface Cases {
  /** Throws `case-not-found`. */
  find(_id: string): Promise<StoredCase>;
  /** Recounts the reports; enough in good standing hide a challenge, or a note and photo. */
  recount(caseId: string): Promise<void>;
  /** Open cases, in the requested order. */
  list(caseQuery: CaseQuery): Promise<StoredCase[]>;
  defaultLimit: number;
  byIds(ids: string[]): Promise<Map<string, StoredCase>>;
  /** Throws `case-not-found` and `nothing-to-decide`. A suspension is decided in the case of the person. */
  decide(
    id: string,
    input: DecisionInput,
    context: { caller: Caller; idempotency: Idempotency | undefined },
  ): Promise<void>;
  /** Throws `case-not-found`, `forbidden` and `nothing-to-appeal`. */
  appeal(
    options: { caseId: string; comment: string },
    more: { caller: Caller; idempotency: Idempotency | undefined },
  ): Promise<{ at: string }>;
  /** An appeal of a suspended user; duplicates, and late ones, are ignored. */
  applyAppeal(event: Pick<Event<'appeal.filed.v1'>, 'data'>): Promise<void>;
  /** There is nothing left to hide or restore; owners of the place still get a response. */
  applyDeleted(challengeId: number): Promise<void>;
  /**
   * Deletes a user's reports, the reports about the user and about their notes and photos, and the texts of reports about
   * their other content. Lines of the audit log only contain ids, and remain.
   */
  erase(userId: number): Promise<void>;
}

/** Creates the store of cases and the decisions about them, which are published. */
export function createCases({
  kit: { connection, clock, outboxes },
  subjects,
  audit,
  outcomeMails,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock' | 'outboxes'>;
  subjects: Subjects;
  audit: AuditLog;
  outcomeMails: OutcomeMails;
}): Cases {
  const Cases = caseModel(connection);
  const Reports = reportModel(connection);

  const find = async (_id: string): Promise<StoredCase> => {
    const found = await Cases.findOne({ _id, version: { $gt: 0 } }, { outbox: 0 }).lean();
    if (!found) throw new Problem('case-not-found');
    return found;
  };

  /** Writes the audit lines of the last decisions. Their ids are the case and its version, so that none is written twice. */
  const writeAuditLines = async ({ _id: caseId, affectedUserId, decisions }: StoredCase): Promise<void> => {
    // An appeal publishes no event; if its line is missing, it is written with that of the next decision.
    for (const { version, idempotencyKey: _, ...decision } of decisions.slice(-2))
      await audit.write({ ...decision, _id: `${caseId}:${version}`, caseId, affectedUserId });
  };

  /** The effects of a decision in this service; idempotent. */
  const applyEffects = async ({
    caseId,
    version,
  }: Pick<Event<'moderation.decided.v1'>['data'], 'caseId' | 'version'>): Promise<void> => {
    const moderationCase = await Cases.findById(caseId, { outbox: 0 }).lean();
    const decision = moderationCase?.decisions.find((each) => each.version === version);
    if (!moderationCase || !decision) return;
    await writeAuditLines(moderationCase);
    if (decision.action === 'appeal' || !decision.by) return;
    const reviewedFilter = { caseId, at: { $lte: decision.at } };
    await Reports.updateMany(
      { ...reviewedFilter, outcome: null },
      { $set: { outcome: outcomes[decision.action] } },
    );
    await outcomeMails.send(moderationCase, decision.at);
  };

  const outbox = outboxes.forModel(Cases, {
    onRelay: async (event) => {
      if (event.name === 'moderation.decided.v1') await applyEffects(event.data);
    },
  });

  const eventsOf = (moderationCase: StoredCase, { version, action, by }: Decision): Event[] =>
    action === 'appeal'
      ? []
      : [
          newEvent(
            'moderation.decided.v1',
            {
              ...{
                caseId: moderationCase._id,
                kind: moderationCase.kind,
                subjectId: moderationCase.subjectId,
              },
              ...{
                title: moderationCase.kind === 'challenge' ? moderationCase.snapshot.title : '',
                affectedUserId: moderationCase.affectedUserId,
              },
              ...{ version, decision: action, byReports: !by, state: moderationCase.state },
              suspendedUntil: moderationCase.suspendedUntil?.toISOString() ?? null,
            },
            clock,
          ),
        ];

  /** Changes a case with optimistic concurrency: concurrent changes are applied one after another. */
  const change = async (
    caseId: string,
    next: (moderationCase: StoredCase) => CaseUpdate | undefined | Promise<CaseUpdate | undefined>,
  ): Promise<StoredCase> => {
    const after = await retryOnConflict(async () => {
      const moderationCase = await Cases.findById(caseId, { outbox: 0 }).lean();
      if (!moderationCase) throw new Problem('case-not-found');
      const changes = await next(moderationCase);
      if (!changes) return { moderationCase, decision: undefined };
      const { set } = changes;
      const version = moderationCase.version + 1;
      const decision = changes.decision && {
        ...changes.decision,
        version,
        at: set.decidedAt ?? new Date(clock.now()),
      };
      const decisions = decision ? [...moderationCase.decisions, decision] : moderationCase.decisions;
      const updatedCase = { ...moderationCase, ...set, version, decisions };
      const update = { $set: { ...set, version }, ...(decision && { $push: { decisions: decision } }) };
      const events = decision ? eventsOf(updatedCase, decision) : [];
      const { matchedCount } = await Cases.updateOne(
        { _id: caseId, version: moderationCase.version },
        events.length ? withEvents(update, events, clock) : update,
      );
      if (!matchedCount) return undefined;
      if (events.length) outbox.send(caseId);
      return { moderationCase: updatedCase, decision };
    });
    if (after.decision) await writeAuditLines(after.moderationCase);
    return after.moderationCase;
  };

  /** Creates the case if missing; it is not listed before it has a report. */
  const openCase = (caseId: string, { affectedUserId, snapshot }: Subject): Promise<void> => {
    const [kind, id] = caseId.split('-');
    return upsert(
      Cases,
      { _id: caseId },
      {
        $setOnInsert: {
          ...{
            kind,
            subjectId: Number(id),
            affectedUserId,
            snapshot,
            version: 0,
            open: false,
            state: 'live',
          },
          ...{ reports: 0, weight: 0, openedAt: new Date(clock.now()), cleared: false, appealed: false },
          ...{ decisions: [], outbox: [] },
        },
      },
    );
  };

  const recount = async (caseId: string): Promise<void> => {
    const newest = await Reports.findOne({ caseId }, { outbox: 0 }).sort({ at: -1 }).lean();
    if (newest) await openCase(caseId, newest);
    else if (!(await Cases.exists({ _id: caseId }))) return;
    await change(caseId, async (moderationCase) => {
      const since = { caseId, at: { $gt: moderationCase.decidedAt ?? new Date(0) } };
      const reports = await Reports.find(since, { at: 1, counts: 1, respondBy: 1, userId: 1 })
        .sort({ at: 1 })
        .limit(maxCounted)
        .lean();
      // A person counts once, also if their reports were before and after a decision at the same time.
      const trustedCount = new Set(reports.flatMap(({ counts, userId }) => (counts && userId) || [])).size;
      const deadlines = reports.flatMap(({ respondBy }) => respondBy ?? []);
      const appealed =
        !!moderationCase.appeal && moderationCase.appeal.at > (moderationCase.decidedAt ?? new Date(0));
      const priorityCount = deadlines.length + (appealed ? 1 : 0);
      const totals = {
        open: reports.length > 0 || appealed,
        reports: reports.length,
        weight: trustedCount + hideThreshold * priorityCount,
        respondBy: deadlines[0] ?? null,
      };
      const shouldHide =
        hiddenByReports.includes(moderationCase.kind) &&
        moderationCase.state === 'live' &&
        !moderationCase.cleared &&
        trustedCount >= hideThreshold;
      const isSame =
        moderationCase.version > 0 &&
        moderationCase.reports === totals.reports &&
        moderationCase.weight === totals.weight &&
        (!newest || isDeepStrictEqual(newest.snapshot, moderationCase.snapshot));
      if (isSame && !shouldHide) return undefined;
      return {
        set: {
          ...totals,
          openedAt: moderationCase.open
            ? moderationCase.openedAt
            : (reports[0]?.at ?? moderationCase.openedAt),
          ...(newest && { snapshot: newest.snapshot }),
          ...(shouldHide && { state: 'hidden' as const, appealed: false }),
        },
        ...(shouldHide && { decision: { action: 'hide' as const, by: null, note: '' } }),
      };
    });
  };

  /** Throws `nothing-to-appeal`. */
  const appeal = (
    caseId: string,
    comment: string,
    { userId, idempotencyKey = null }: { userId: number; idempotencyKey?: string | null },
  ): Promise<StoredCase> =>
    change(caseId, (moderationCase) => {
      if (isMadeBy(moderationCase, idempotencyKey)) return undefined;
      if (!isInEffect(moderationCase, clock.now()) || moderationCase.appealed)
        throw new Problem('nothing-to-appeal');
      const at = new Date(clock.now());
      return {
        set: {
          ...{
            open: true,
            appealed: true,
            appeal: { comment, at },
            weight: moderationCase.weight + hideThreshold,
          },
          openedAt: moderationCase.open ? moderationCase.openedAt : at,
        },
        decision: { action: 'appeal', by: userId, note: '', idempotencyKey },
      };
    });

  return {
    find,
    recount,

    list: ({ sort, limit = defaultLimit, cursor }: CaseQuery): Promise<StoredCase[]> =>
      Cases.find({ open: true, ...afterCursor(sort, cursor) }, { outbox: 0 })
        .sort(sort === 'age' ? { openedAt: 1, _id: 1 } : { weight: -1, openedAt: 1, _id: 1 })
        .limit(limit)
        .lean(),

    defaultLimit,

    byIds: async (ids: string[]): Promise<Map<string, StoredCase>> => {
      const found = await Cases.find({ _id: { $in: ids } }, { outbox: 0 }).lean();
      return new Map(found.map((moderationCase) => [moderationCase._id, moderationCase]));
    },

    async decide(
      id: string,
      { action, days, note }: DecisionInput,
      { caller, idempotency }: { caller: Caller; idempotency: Idempotency | undefined },
    ): Promise<void> {
      const idempotencyKey = idempotency?.key ?? null;
      const { affectedUserId } = await find(id);
      if (action === 'note') {
        const at = new Date(clock.now());
        const name = idempotencyKey ?? `${at.getTime()}-${caller.id}`;
        const line = { _id: `${id}:note-${name}`, caseId: id, affectedUserId };
        await audit.write({ ...line, action, by: caller.id, at, note });
        return;
      }
      const caseId = action === 'suspend' ? caseIdOf('user', affectedUserId) : id;
      if (action === 'suspend') {
        if (affectedUserId === caller.id) throw new Problem('nothing-to-decide');
        await openCase(caseId, await subjects.person(affectedUserId));
      }
      const decidedAt = new Date(clock.now());
      const until = days ? new Date(decidedAt.getTime() + days * dayMs) : undefined;
      const { decisions } = await change(caseId, (moderationCase) => {
        if (isMadeBy(moderationCase, idempotencyKey)) return undefined;
        const { action: resultingAction, set } = applyDecision(moderationCase, {
          action,
          until,
          now: decidedAt.getTime(),
        });
        const decision = {
          action: resultingAction,
          by: caller.id,
          note,
          idempotencyKey,
          ...(until && { until }),
        };
        return { set: { ...set, decidedAt }, decision };
      });
      const last = decisions.at(-1);
      if (last) await applyEffects({ caseId, version: last.version });
    },

    async appeal(
      { caseId, comment }: { caseId: string; comment: string },
      { caller: { id }, idempotency }: { caller: Caller; idempotency: Idempotency | undefined },
    ) {
      if ((await find(caseId)).affectedUserId !== id) throw new Problem('forbidden');
      const { appeal: made } = await appeal(caseId, comment, {
        userId: id,
        idempotencyKey: idempotency?.key ?? null,
      });
      return { at: (made?.at ?? new Date(clock.now())).toISOString() };
    },

    async applyAppeal({ data: { userId, comment } }: Pick<Event<'appeal.filed.v1'>, 'data'>): Promise<void> {
      try {
        await appeal(caseIdOf('user', userId), comment, { userId });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
      }
    },

    async applyDeleted(challengeId: number): Promise<void> {
      const _id = caseIdOf('challenge', challengeId);
      await Cases.updateOne(
        { _id, state: { $ne: 'deleted' } },
        { $set: { state: 'deleted' }, $inc: { version: 1 } },
      );
    },

    async erase(userId: number): Promise<void> {
      const reported = await Reports.distinct('caseId', { userId });
      await Reports.deleteMany({ userId });
      for (const caseId of reported) await recount(caseId);
      const ownedCases = await Cases.find({ affectedUserId: userId }, { kind: 1 }).lean();
      const completions = ownedCases.filter(({ kind }) => kind === 'completion');
      const caseIds = [caseIdOf('user', userId), ...completions.map(({ _id }) => _id)];
      await Reports.deleteMany({ caseId: { $in: caseIds } });
      await Cases.deleteMany({ _id: { $in: caseIds } });
      await Reports.updateMany(
        { caseId: { $in: ownedCases.map(({ _id }) => _id) }, userId: { $ne: null } },
        { $set: { comment: '' } },
      );
      await Cases.updateMany(
        { affectedUserId: userId, appeal: { $ne: null } },
        { $set: { 'appeal.comment': '' } },
      );
    },
  };
}
