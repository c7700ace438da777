import type {
  AuditLine,
  ChallengeDetails,
  FiledReport,
  ModerationCase,
  OwnDecision,
  PublicUser,
  WholeCase,
} from '@wayquest/contracts';
import type { ChallengeReplica, UserReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import type { AuditLog, StoredAuditLine } from './audit.ts';
import { type Cases, isInEffect, type StoredCase } from './cases.ts';
import { pointsOf } from './points.ts';
import { type ReportDocument, reportModel } from './report.model.ts';

type People = Map<number, PublicUser>;

/** Maximum number of reports in a case's view. */
const maxShown = 100;

const personOf = (people: People, id: number | null | undefined) => {
  const found = id ? people.get(id) : undefined;
  return found ? { id: found.id, username: found.username } : null;
};

const presentCase = (kase: StoredCase, people: People): ModerationCase => ({
  id: kase._id,
  kind: kase.kind,
  subjectId: kase.subjectId,
  concerned: personOf(people, kase.concernedId),
  open: kase.open,
  state: kase.state,
  suspendedUntil: kase.suspendedUntil?.toISOString() ?? null,
  reports: kase.reports,
  weight: kase.weight,
  openedAt: kase.openedAt.toISOString(),
  answerBy: kase.answerBy?.toISOString() ?? null,
  appeal: kase.appeal ? { words: kase.appeal.words, at: kase.appeal.at.toISOString() } : null,
  snapshot: kase.snapshot,
});

const presentReport = (report: Omit<ReportDocument, 'outbox'>, people: People): FiledReport => ({
  id: report._id,
  by: personOf(people, report.userId),
  reason: report.reason,
  words: report.words,
  at: report.at.toISOString(),
  email: report.email ?? null,
  counts: report.counts,
  snapshot: report.snapshot,
});

const presentAuditLine = (line: StoredAuditLine, people: People): AuditLine => ({
  id: line._id,
  caseId: line.caseId,
  action: line.action,
  by: personOf(people, line.by),
  at: line.at.toISOString(),
  until: line.until?.toISOString() ?? null,
  note: line.note,
});

/** Whether somebody can appeal against the decision of a log line now. */
const mayAppeal = (kase: StoredCase | undefined, line: StoredAuditLine, now: number): boolean => {
  if (!kase || kase.appealed || !isInEffect(kase, now)) return false;
  const last = kase.decisions.findLast(({ action }) => action === 'hide' || action === 'suspend');
  return line._id === `${kase._id}:${last?.version}`;
};

/** Views of cases: everything for admins, decisions for the person concerned. */
export interface Views {
  list(query: Parameters<Cases['list']>[0]): Promise<ModerationCase[]>;
  /** Throws `case-not-found`. */
  one(id: string): Promise<WholeCase>;
  audit(query: Parameters<AuditLog['all']>[0]): Promise<AuditLine[]>;
  /** Without reporters and admins. */
  own(userId: number, page: Parameters<AuditLog['about']>[1]): Promise<OwnDecision[]>;
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

  return {
    async list(query: Parameters<Cases['list']>[0]): Promise<ModerationCase[]> {
      const found = await cases.list(query);
      const people = await users.byIds(found.map(({ concernedId }) => concernedId));
      return found.map((kase) => presentCase(kase, people));
    },

    async one(id: string): Promise<WholeCase> {
      const kase = await cases.find(id);
      const [filed, lines] = await Promise.all([
        Reports.find({ caseId: id }, { outbox: 0 }).sort({ at: -1 }).limit(maxShown).lean(),
        audit.of(id),
      ]);
      const people = await users.byIds(
        ids([kase.concernedId, ...filed.map(({ userId }) => userId), ...lines.map(({ by }) => by)]),
      );
      return {
        ...presentCase(kase, people),
        filed: filed.map((report) => presentReport(report, people)),
        audit: lines.map((line) => presentAuditLine(line, people)),
      };
    },

    async audit(query: Parameters<AuditLog['all']>[0]): Promise<AuditLine[]> {
      const lines = await audit.all(query);
      const people = await users.byIds(ids(lines.map(({ by }) => by)));
      return lines.map((line) => presentAuditLine(line, people));
    },

    async own(userId: number, page: Parameters<AuditLog['about']>[1]): Promise<OwnDecision[]> {
      const lines = await audit.about(userId, page);
      const known = await cases.byIds([...new Set(lines.map(({ caseId }) => caseId))]);
      const earnedWith = ids(lines.map(pointsOf));
      const named = earnedWith.length
        ? await challenges.byIds(earnedWith)
        : new Map<number, ChallengeDetails>();
      return lines.flatMap((line) => {
        if (line.action === 'note') return [];
        const said = {
          ...{ id: line._id, caseId: line.caseId, action: line.action, at: line.at.toISOString() },
          until: line.until?.toISOString() ?? null,
        };
        const challengeId = pointsOf(line);
        if (challengeId) {
          const title = named.get(challengeId)?.name ?? '';
          const reason = line.action === 'revoke' && { reason: line.note };
          const of = { kind: 'points' as const, subjectId: challengeId, title };
          return { ...said, ...of, byReports: false, mayAppeal: false, ...reason };
        }
        const kase = known.get(line.caseId);
        if (!kase) return [];
        return {
          ...said,
          ...{ kind: kase.kind, subjectId: kase.subjectId },
          title: kase.kind === 'challenge' || kase.kind === 'completion' ? kase.snapshot.title : '',
          byReports: !line.by,
          mayAppeal: mayAppeal(kase, line, clock.now()),
        };
      });
    },
  };
}
