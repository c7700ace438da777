import type { Event } from '@wayquest/contracts';
import type { AuditLog, StoredAuditLine } from './audit.ts';

const idOf = (userId: number, challengeId: number): string => `points-${userId}-${challengeId}`;

/** The challenge that points came from, where a line of the log is of points. */
export const pointsOf = ({ caseId }: Pick<StoredAuditLine, 'caseId'>): number | undefined => {
  const [kind, , challengeId] = caseId.split('-');
  return kind === 'points' ? Number(challengeId) : undefined;
};

/** Writes down what an admin decided of points that waited (users): that they wait is nobody's decision. */
export const keepDecided =
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
