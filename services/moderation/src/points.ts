import type { Event } from '@wayquest/contracts';
import type { AuditLog, StoredAuditLine } from './audit.ts';

const idOf = (userId: number, challengeId: number): string => `points-${userId}-${challengeId}`;

/** The challenge of a log line about points; undefined for other lines. */
export const pointsOf = ({ caseId }: Pick<StoredAuditLine, 'caseId'>): number | undefined => {
  const [kind, , challengeId] = caseId.split('-');
  return kind === 'points' ? Number(challengeId) : undefined;
};

/** Records the decision of an admin about flagged points (users) in the audit log; flagging itself is no decision. */
export const recordPointsDecision =
  (audit: Pick<AuditLog, 'write'>) =>
  async ({ data, occurredAt }: Pick<Event<'points.decided.v1'>, 'data' | 'occurredAt'>): Promise<void> => {
    const { userId, challengeId, decision, by, reason } = data;
    if (decision === 'flag') return;
    const caseId = idOf(userId, challengeId);
    await audit.write({
      ...{ _id: `${caseId}:1`, caseId, concernedId: userId },
      ...{ action: decision, by, at: new Date(occurredAt), note: reason },
    });
  };
