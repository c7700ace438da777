import { isDeepStrictEqual } from 'node:util';
import type { SubjectKind } from '@wayquest/contracts';
import type { ServiceKit } from '@wayquest/platform/service';
import { caseModel, reportModel } from './case.model.ts';
import type { CaseChanges } from './case-changes.ts';
import { hideThreshold } from './case-decisions.ts';

/** Kinds that are hidden automatically by reports: public content, not users or private messages. */
const hiddenByReports: readonly SubjectKind[] = ['challenge', 'completion'];

/** Maximum number of counted reports. */
const maxCounted = 1_000;

/**
 * Creates the recount of a case's reports; enough in good standing hide a challenge, or a note and photo.
 *
 * @returns A function that recounts the reports of one case. A case without reports that does not exist stays away.
 */
export function createCaseRecount(
  { connection }: Pick<ServiceKit, 'connection'>,
  { change, open }: Pick<CaseChanges, 'change' | 'open'>,
): (caseId: string) => Promise<void> {
  const Cases = caseModel(connection);
  const Reports = reportModel(connection);

  return async (caseId) => {
    const newest = await Reports.findOne({ caseId }, { outbox: 0 }).sort({ at: -1 }).lean();
    if (newest) await open(caseId, newest);
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
}
