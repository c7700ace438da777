import { isDeepStrictEqual } from 'node:util';
import type {
  NewPlaceRequest,
  NewReport,
  OperationResponse,
  Operations,
  SubjectKind,
} from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import { ipPrefix64 } from '@wayquest/platform/http';
import type { MailLanguage } from '@wayquest/platform/mail';
import { withEvents } from '@wayquest/platform/outbox';
import type { RateLimiter } from '@wayquest/platform/redis';
import type { ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey } from '@wayquest/platform/store';
import type { Caller } from '@wayquest/platform/tokens';
import { caseModel, type ReportDocument, reportModel } from './case.model.ts';
import type { Puzzles } from './puzzles.ts';
import type { ReporterTrust } from './reporter-trust.ts';
import type { Subjects } from './subjects.ts';

export const caseIdOf = (kind: SubjectKind, id: number): string => `${kind}-${id}`;

const dayMs = 24 * 3_600 * 1_000;

/** The operations on reports, and on requests of owners of places. */
export interface ReportOperations {
  /**
   * A repeated report updates the caller's open one; after a decision it is a new one. Throws the `…-not-found` of the subject, and
   * `too-many-requests`.
   */
  create(
    report: NewReport,
    caller: Caller,
  ): Promise<{
    report: OperationResponse<Operations['report']>;
    isNew: boolean;
  }>;
  puzzle(): Promise<{ responseDays: number; until: string; nonce: string; bits: number }>;
  /** Throws `puzzle-unsolved`, `challenge-not-found` and `too-many-requests`. Each nonce can be used once. */
  requestForPlace(
    body: NewPlaceRequest,
    request: { address: string; language: MailLanguage },
  ): Promise<{ respondBy: string }>;
}

/**
 * Creates the store of reports, each of which belongs to a case.
 *
 * @param responseDays - Within how many days requests about places are answered.
 */
export function createReports({
  kit: { connection, clock, outboxes },
  subjects,
  reporterTrust,
  puzzles,
  countReport,
  countPlaces,
  responseDays,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock' | 'outboxes'>;
  subjects: Subjects;
  reporterTrust: ReporterTrust;
  puzzles: Puzzles;
  /** Counts a report against the quota. Throws `too-many-requests`. */
  countReport: (userId: number) => Promise<void>;
  /** Counts a request of a network. */
  countPlaces: Pick<RateLimiter, 'count'>;
  responseDays: number;
}): ReportOperations {
  const Reports = reportModel(connection);
  const Cases = caseModel(connection);
  const outbox = outboxes.forModel(Reports);

  const filed = ({ caseId }: Pick<ReportDocument, 'caseId'>) =>
    newEvent('report.filed.v1', { caseId }, clock);

  /** The id of a person's open report: one for each person and subject, until an admin decides. */
  const openReportId = async (userId: number, caseId: string): Promise<string> => {
    const decidedAt = (await Cases.findById(caseId, { decidedAt: 1 }).lean())?.decidedAt;
    return [userId, caseId, decidedAt?.getTime()].filter((part) => part !== undefined).join(':');
  };

  /** Replaces what a report says. */
  const update = async (report: Omit<ReportDocument, 'outbox'>): Promise<void> => {
    const { _id, reason, comment, snapshot, at } = report;
    await Reports.updateOne(
      { _id },
      withEvents({ $set: { reason, comment, snapshot, at } }, [filed(report)], clock),
    );
    outbox.send(_id);
  };

  /** Returns the existing one, if there is one. */
  const insert = async (report: Omit<ReportDocument, 'outbox'>) => {
    try {
      await outbox.create(report, [filed(report)]);
      return undefined;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return Reports.findById(report._id).orFail().lean();
    }
  };

  const present = ({ reason, at }: Omit<ReportDocument, 'outbox'>, { kind, id }: NewReport) => {
    if (reason === 'place') throw new Error('takedown requests have no member report');
    return { kind, id, reason, at: at.toISOString() };
  };

  return {
    async create(report: NewReport, caller: Caller) {
      const { kind, id, reason, comment } = report;
      const caseId = caseIdOf(kind, id);
      const _id = await openReportId(caller.id, caseId);
      const before = await Reports.findById(_id, { outbox: 0 }).lean();
      await countReport(caller.id);
      const { affectedUserId, snapshot } = await subjects.load(report, caller);
      if (affectedUserId === caller.id)
        throw new Problem('invalid-request', { errors: [{ field: 'id', reason: 'cannot be your own' }] });
      const stored = {
        ...{ _id, caseId, affectedUserId, userId: caller.id, reason, comment, snapshot },
        at: new Date(clock.now()),
        counts: await reporterTrust.isTrusted(caller.id),
      };
      const existing = before ?? (await insert(stored));
      if (!existing) return { report: present(stored, report), isNew: true };
      const isRepeat =
        existing.reason === reason &&
        existing.comment === comment &&
        isDeepStrictEqual(existing.snapshot, snapshot);
      if (!isRepeat) await update(stored);
      return { report: present(isRepeat ? existing : stored, report), isNew: false };
    },

    async puzzle() {
      return { ...puzzles.create(), responseDays };
    },

    async requestForPlace(
      { challengeId, comment, email, nonce, solution }: NewPlaceRequest,
      { address, language }: { address: string; language: MailLanguage },
    ) {
      puzzles.assertSolved(nonce, solution);
      await countPlaces.count(ipPrefix64(address));
      const caseId = caseIdOf('challenge', challengeId);
      // A second press of the button has solved another puzzle.
      const waiting = await Reports.findOne(
        { caseId, email, comment, outcome: null },
        { respondBy: 1 },
      ).lean();
      if (waiting?.respondBy) return { respondBy: waiting.respondBy.toISOString() };
      const report = {
        _id: `place:${nonce}`,
        caseId,
        ...(await subjects.challenge(challengeId)),
        ...{ reason: 'place' as const, comment, email, language, counts: false },
        at: new Date(clock.now()),
        respondBy: new Date(clock.now() + responseDays * dayMs),
      };
      const { respondBy } = (await insert(report)) ?? report;
      return { respondBy: (respondBy ?? report.respondBy).toISOString() };
    },
  };
}
