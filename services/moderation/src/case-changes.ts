import type { Event } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import { type Outbox, withEvents } from '@wayquest/platform/outbox';
import type { ServiceKit } from '@wayquest/platform/service';
import { retryOnConflict, upsert } from '@wayquest/platform/store';
import type { Model } from 'mongoose';
import type { AuditLog } from './audit.ts';
import { type CaseDocument, caseModel, type Decision, reportModel } from './case.model.ts';
import { isByReports, outcomes, type StoredCase } from './case-decisions.ts';
import type { OutcomeMails } from './outcome-mails.ts';
import type { Subject } from './subjects.ts';

/** The new state of a case, and the decision that leads to it, if any. */
interface CaseUpdate {
  set: Partial<StoredCase>;
  decision?: Omit<Decision, 'version' | 'at'>;
}

/** Writes changes of cases, with the events and audit lines of decisions. */
export interface CaseChanges {
  /**
   * Changes a case with optimistic concurrency: concurrent changes are applied one after another. Throws `case-not-found`.
   *
   * @param next - Returns the changes of the current case; undefined for none. It is called again after a conflict.
   * @returns The case after it.
   */
  change(
    caseId: string,
    next: (moderationCase: StoredCase) => CaseUpdate | undefined | Promise<CaseUpdate | undefined>,
  ): Promise<StoredCase>;
  /** Creates the case if missing; it is not listed before it has a report. */
  open(caseId: string, subject: Subject): Promise<void>;
  /** The effects of a decision in this service; idempotent. */
  applyEffects(decision: Pick<Event<'moderation.decided.v1'>['data'], 'caseId' | 'version'>): Promise<void>;
}

/** The outboxes of the service, or those of a process that leaves the relaying to it. */
interface CaseOutboxes {
  forModel(
    model: Model<CaseDocument>,
    options: { onRelay(event: Event): Promise<void> },
  ): Pick<Outbox<CaseDocument>, 'send'>;
}

/** Creates the writer of a service's cases. */
export function createCaseChanges({
  kit: { connection, clock, outboxes },
  audit,
  outcomeMails,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock'> & { outboxes: CaseOutboxes };
  audit: Pick<AuditLog, 'write'>;
  outcomeMails: OutcomeMails;
}): CaseChanges {
  const Cases = caseModel(connection);
  const Reports = reportModel(connection);

  /** Writes the audit lines of the last decisions until a version. Their ids are the case and its version, so that none is written twice. */
  const writeAuditLines = async (
    { _id: caseId, affectedUserId, decisions }: StoredCase,
    lastVersion: number,
  ): Promise<void> => {
    // An appeal publishes no event; if its line is missing, it is written with that of the next decision.
    const last = decisions.filter(({ version }) => version <= lastVersion).slice(-2);
    for (const { version, idempotencyKey: _, ...decision } of last)
      await audit.write({ ...decision, _id: `${caseId}:${version}`, caseId, affectedUserId });
  };

  const applyEffects = async ({
    caseId,
    version,
  }: Pick<Event<'moderation.decided.v1'>['data'], 'caseId' | 'version'>): Promise<void> => {
    const moderationCase = await Cases.findById(caseId, { outbox: 0 }).lean();
    const decision = moderationCase?.decisions.find((each) => each.version === version);
    if (!moderationCase || !decision) return;
    await writeAuditLines(moderationCase, version);
    // Without an admin nobody has looked at the reports.
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

  const eventsOf = (moderationCase: StoredCase, decision: Decision): Event[] =>
    decision.action === 'appeal'
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
              ...{ version: decision.version, decision: decision.action, byReports: isByReports(decision) },
              state: moderationCase.state,
              suspendedUntil: moderationCase.suspendedUntil?.toISOString() ?? null,
            },
            clock,
          ),
        ];

  const change: CaseChanges['change'] = async (caseId, next) => {
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
    if (after.decision) await writeAuditLines(after.moderationCase, after.decision.version);
    return after.moderationCase;
  };

  const open = (caseId: string, { affectedUserId, snapshot }: Subject): Promise<void> => {
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

  return { change, open, applyEffects };
}
