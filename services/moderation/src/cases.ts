import type { Event, OperationRequest, Operations } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import type { Idempotency } from '@wayquest/platform/http';
import type { ServiceKit } from '@wayquest/platform/service';
import type { Caller } from '@wayquest/platform/tokens';
import type { AuditLog } from './audit.ts';
import { caseModel, reportModel } from './case.model.ts';
import { createCaseChanges } from './case-changes.ts';
import { applyDecision, hideThreshold, isInEffect, type StoredCase } from './case-decisions.ts';
import { createCaseRecount } from './case-recount.ts';
import type { OutcomeMails } from './outcome-mails.ts';
import { caseIdOf } from './reports.ts';
import type { Subjects } from './subjects.ts';

type DecisionInput = OperationRequest<Operations['decide']>['body'];
type CaseQuery = OperationRequest<Operations['listCases']>['query'];

const defaultLimit = 20;

const dayMs = 24 * 3_600 * 1_000;

/** Whether this repeats the call of a decision. */
const isMadeBy = ({ decisions }: StoredCase, key: string | null): boolean =>
  key !== null && decisions.some(({ idempotencyKey }) => idempotencyKey === key);

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
  /**
   * Throws `case-not-found`, `user-not-found` and `nothing-to-decide`. A suspension is decided in the case of the person, which is
   * opened for it.
   */
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
  kit,
  subjects,
  audit,
  outcomeMails,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock' | 'outboxes'>;
  subjects: Subjects;
  audit: AuditLog;
  outcomeMails: OutcomeMails;
}): Cases {
  const { connection, clock } = kit;
  const Cases = caseModel(connection);
  const Reports = reportModel(connection);

  const find = async (_id: string): Promise<StoredCase> => {
    const found = await Cases.findOne({ _id, version: { $gt: 0 } }, { outbox: 0 }).lean();
    if (!found) throw new Problem('case-not-found');
    return found;
  };

  /** Whose content a case is about. A person can be suspended before anybody has reported them, when there is no case yet. */
  const affectedUserOf = async (id: string, action: DecisionInput['action']): Promise<number> => {
    const [kind, subjectId] = id.split('-');
    if (action === 'suspend' && kind === 'user') return Number(subjectId);
    return (await find(id)).affectedUserId;
  };

  const { change, open, applyEffects } = createCaseChanges({ kit, audit, outcomeMails });
  const recount = createCaseRecount(kit, { change, open });

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
      { action, days, note, reason }: DecisionInput,
      { caller, idempotency }: { caller: Caller; idempotency: Idempotency | undefined },
    ): Promise<void> {
      const idempotencyKey = idempotency?.key ?? null;
      const affectedUserId = await affectedUserOf(id, action);
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
        await open(caseId, await subjects.person(affectedUserId));
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
          ...(reason && { reason }),
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
