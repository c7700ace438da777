import type {
  NewPlaceRequest,
  NewReport,
  OperationResponse,
  Operations,
  SubjectKind,
} from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import { type Caller, ipPrefix64 } from '@wayquest/platform/http';
import type { MailLanguage } from '@wayquest/platform/mail';
import type { RateLimiter } from '@wayquest/platform/redis';
import type { ServiceKit } from '@wayquest/platform/service';
import { isDuplicateKey } from '@wayquest/platform/store';
import { type ReportDocument, reportModel } from './case.model.ts';
import type { Puzzles } from './puzzles.ts';
import type { ReporterTrust } from './reporter-trust.ts';
import type { Subjects } from './subjects.ts';

export const caseIdOf = (kind: SubjectKind, id: number): string => `${kind}-${id}`;

const dayMs = 24 * 3_600 * 1_000;

/** The operations on reports, and on requests of owners of places. */
export interface ReportOperations {
  /** Throws the `…-not-found` of the subject, and `too-many-requests`. */
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
  const outbox = outboxes.forModel(Reports);

  /** Returns the existing one, if there is one. */
  const insert = async (report: Omit<ReportDocument, 'outbox'>) => {
    try {
      await outbox.create(report, [newEvent('report.filed.v1', { caseId: report.caseId }, clock)]);
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
      const _id = `${caller.id}:${caseId}`;
      const before = await Reports.findById(_id).lean();
      if (before) return { report: present(before, report), isNew: false };
      await countReport(caller.id);
      const { affectedUserId, snapshot } = await subjects.load(report, caller);
      if (affectedUserId === caller.id)
        throw new Problem('invalid-request', { errors: [{ field: 'id', reason: 'cannot be your own' }] });
      const stored = {
        ...{ _id, caseId, affectedUserId, userId: caller.id, reason, comment, snapshot },
        at: new Date(clock.now()),
        counts: await reporterTrust.isTrusted(caller.id),
      };
      const existing = await insert(stored);
      return { report: present(existing ?? stored, report), isNew: !existing };
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
