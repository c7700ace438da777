import type { DecisionKind, SubjectState } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import type { CaseDocument } from './case.model.ts';

export type StoredCase = Omit<CaseDocument, 'outbox'>;

/** Reports in good standing that hide content until an admin has looked; an appeal, or an owner of a place, counts as many. */
export const hideThreshold = 3;

/** Whether reports alone made a decision. Others without an admin are the operator's, by a command. */
export const isByReports = ({ action, by }: { action: string; by?: number | null }): boolean =>
  action === 'hide' && !by;

const isSuspended = ({ suspendedUntil }: StoredCase, now: number): boolean =>
  !!suspendedUntil && suspendedUntil.getTime() > now;

export const isInEffect = (moderationCase: StoredCase, now: number): boolean =>
  moderationCase.state === 'hidden' || isSuspended(moderationCase, now);

const closedCase = { open: false, reports: 0, weight: 0, respondBy: null } as const;

const reverted = { suspendedUntil: null, cleared: true, appealed: false } as const;

/** The result of an admin's decision. Throws `nothing-to-decide`. */
export function applyDecision(
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

/** What a decision makes of the reports of its case. */
export const outcomes: Record<DecisionKind, 'dismissed' | 'upheld'> = {
  dismiss: 'dismissed',
  restore: 'dismissed',
  hide: 'upheld',
  delete: 'upheld',
  suspend: 'upheld',
  uphold: 'upheld',
};
