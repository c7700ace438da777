import type {
  AuditEntry,
  CaseDetails,
  ChallengeDetails,
  FiledReport,
  ModerationCase,
  OwnDecision,
  PublicUser,
} from '@wayquest/contracts';
import type { ChallengeReplica, UserReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import { type AuditLog, pointsOf, type StoredAuditLine } from './audit.ts';
import { type ReportDocument, reportModel } from './case.model.ts';
import { isByReports, isInEffect, type StoredCase } from './case-decisions.ts';
import type { Cases } from './cases.ts';

type People = Map<number, PublicUser>;

/** Maximum number of reports in a case's view. */
const maxShown = 100;

const personOf = (people: People, id: number | null | undefined) => {
  const found = id ? people.get(id) : undefined;
  return found ? { id: found.id, username: found.username } : null;
};

const presentCase = (moderationCase: StoredCase, people: People): ModerationCase => ({
  id: moderationCase._id,
  kind: moderationCase.kind,
  subjectId: moderationCase.subjectId,
  affectedUser: personOf(people, moderationCase.affectedUserId),
  open: moderationCase.open,
  state: moderationCase.state,
  suspendedUntil: moderationCase.suspendedUntil?.toISOString() ?? null,
  reports: moderationCase.reports,
  weight: moderationCase.weight,
  openedAt: moderationCase.openedAt.toISOString(),
  respondBy: moderationCase.respondBy?.toISOString() ?? null,
  appeal: moderationCase.appeal
    ? { comment: moderationCase.appeal.comment, at: moderationCase.appeal.at.toISOString() }
    : null,
  snapshot: moderationCase.snapshot,
});

const presentReport = (report: Omit<ReportDocument, 'outbox'>, people: People): FiledReport => ({
  id: report._id,
  by: personOf(people, report.userId),
  reason: report.reason,
  comment: report.comment,
  at: report.at.toISOString(),
  email: report.email ?? null,
  counts: report.counts,
  snapshot: report.snapshot,
});

const presentAuditLine = (line: StoredAuditLine, people: People): AuditEntry => ({
  id: line._id,
  caseId: line.caseId,
  action: line.action,
  by: personOf(people, line.by),
  at: line.at.toISOString(),
  until: line.until?.toISOString() ?? null,
  note: line.note,
  ...(line.reason && { reason: line.reason }),
});

/** Whether somebody can appeal against the decision of a log line now. */
const mayAppeal = (moderationCase: StoredCase | undefined, line: StoredAuditLine, now: number): boolean => {
  if (!moderationCase || moderationCase.appealed || !isInEffect(moderationCase, now)) return false;
  const last = moderationCase.decisions.findLast(({ action }) => action === 'hide' || action === 'suspend');
  return line._id === `${moderationCase._id}:${last?.version}`;
};

/** Views of cases: everything for admins, decisions for the affected user. */
export interface Views {
  list(query: Parameters<Cases['list']>[0]): Promise<ModerationCase[]>;
  /** Throws `case-not-found`. */
  get(id: string): Promise<CaseDetails>;
  audit(query: Parameters<AuditLog['all']>[0]): Promise<AuditEntry[]>;
  /** Without reporters and admins. */
  ownDecisions(userId: number, page: Parameters<AuditLog['decisionsFor']>[1]): Promise<OwnDecision[]>;
}

/** Creates what admins see of cases, and people of the decisions about their content. */
export function createViews({
  kit: { connection, clock },
  cases,
  audit,
  users,
  challenges,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock'>;
  cases: Cases;
  audit: AuditLog;
  users: UserReplica;
  challenges: ChallengeReplica;
}): Views {
  const Reports = reportModel(connection);
  const ids = (all: (number | null | undefined)[]): number[] => all.flatMap((id) => id ?? []);

  /** The challenges of decisions about points. */
  const challengesOf = async (lines: StoredAuditLine[]) => {
    const challengeIds = ids(lines.map(pointsOf));
    return challengeIds.length
      ? challenges.byIds(challengeIds)
      : new Map<number, Pick<ChallengeDetails, 'name' | 'template'>>();
  };

  return {
    async list(query: Parameters<Cases['list']>[0]): Promise<ModerationCase[]> {
      const found = await cases.list(query);
      const people = await users.byIds(found.map(({ affectedUserId }) => affectedUserId));
      return found.map((moderationCase) => presentCase(moderationCase, people));
    },

    async get(id: string): Promise<CaseDetails> {
      const moderationCase = await cases.find(id);
      const [reports, lines] = await Promise.all([
        Reports.find({ caseId: id }, { outbox: 0 }).sort({ at: -1 }).limit(maxShown).lean(),
        audit.of(id),
      ]);
      const people = await users.byIds(
        ids([
          moderationCase.affectedUserId,
          ...reports.map(({ userId }) => userId),
          ...lines.map(({ by }) => by),
        ]),
      );
      return {
        ...presentCase(moderationCase, people),
        filed: reports.map((report) => presentReport(report, people)),
        audit: lines.map((line) => presentAuditLine(line, people)),
      };
    },

    async audit(query: Parameters<AuditLog['all']>[0]): Promise<AuditEntry[]> {
      const lines = await audit.all(query);
      const people = await users.byIds(ids(lines.map(({ by }) => by)));
      const casesById = await cases.byIds([...new Set(lines.map(({ caseId }) => caseId))]);
      const challengesById = await challengesOf(lines);
      return lines.map((line) => {
        const { title, text, template } = casesById.get(line.caseId)?.snapshot ?? {};
        const subject = challengesById.get(pointsOf(line) ?? 0) ?? { name: title || text, template };
        return {
          ...presentAuditLine(line, people),
          ...(subject.name && { title: subject.name }),
          ...(subject.template && { template: subject.template }),
        };
      });
    },

    async ownDecisions(
      userId: number,
      page: Parameters<AuditLog['decisionsFor']>[1],
    ): Promise<OwnDecision[]> {
      const lines = await audit.decisionsFor(userId, page);
      const casesById = await cases.byIds([...new Set(lines.map(({ caseId }) => caseId))]);
      const challengesById = await challengesOf(lines);
      return lines.flatMap((line) => {
        if (line.action === 'note') return [];
        const common = {
          ...{ id: line._id, caseId: line.caseId, action: line.action, at: line.at.toISOString() },
          until: line.until?.toISOString() ?? null,
          ...(line.reason && { reason: line.reason }),
        };
        const challengeId = pointsOf(line);
        if (challengeId) {
          const { name: title = '', template } = challengesById.get(challengeId) ?? {};
          const reason = line.action === 'revoke' && { reason: line.note };
          const subject = {
            ...{ kind: 'points' as const, subjectId: challengeId, title },
            ...(template && { template }),
          };
          return { ...common, ...subject, byReports: false, mayAppeal: false, ...reason };
        }
        const moderationCase = casesById.get(line.caseId);
        if (!moderationCase) return [];
        const { kind, subjectId, snapshot } = moderationCase;
        const { template } = snapshot;
        return {
          ...common,
          ...{ kind, subjectId },
          title: kind === 'challenge' || kind === 'completion' ? snapshot.title : '',
          ...(template && { template }),
          byReports: isByReports(line),
          mayAppeal: mayAppeal(moderationCase, line, clock.now()),
        };
      });
    },
  };
}
