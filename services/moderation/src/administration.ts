import { systemClock } from '@wayquest/platform/async';
import { makeDue } from '@wayquest/platform/outbox';
import { createUserReplica } from '@wayquest/platform/replicas';
import { connectMongo } from '@wayquest/platform/store';
import type { Logger } from '@wayquest/platform/telemetry';
import { caseModel } from './case.model.ts';
import { createCaseChanges } from './case-changes.ts';
import { applyDecision } from './case-decisions.ts';
import { caseIdOf } from './reports.ts';
import { personSubject } from './subjects.ts';

/** A user in the stores of an installation. */
interface UserReference {
  mongoUrl: string;
  databasePrefix: string;
  logger: Logger;
  userId: number;
}

/**
 * Decides about a person for the operator, with or without a running service, which publishes the decision. Its audit line
 * names no admin.
 */
async function decide(
  { mongoUrl, databasePrefix, logger, userId }: UserReference,
  { action, until, note }: { action: 'suspend' | 'restore'; until: Date | undefined; note: string },
): Promise<void> {
  const clock = systemClock;
  const connection = await connectMongo({ url: mongoUrl, database: `${databasePrefix}_moderation`, logger });
  try {
    const { change, open } = createCaseChanges({
      // The service finds what waits in the outbox, and then writes the audit line, whose hash is in its log, and the effects.
      kit: { connection, clock, outboxes: { forModel: () => ({ send() {} }) } },
      audit: { write: async () => true },
      outcomeMails: { send: async () => {} },
    });
    const caseId = caseIdOf('user', userId);
    await open(caseId, await personSubject(createUserReplica(connection, clock), userId));
    await change(caseId, (moderationCase) => {
      const decidedAt = new Date(clock.now());
      const { set } = applyDecision(moderationCase, { action, until, now: decidedAt.getTime() });
      const { suspendedUntil = null, appealed = false } = set;
      return {
        // Nobody has looked at open reports.
        set: moderationCase.reports ? { suspendedUntil, appealed } : { ...set, decidedAt },
        decision: { action, by: null, note, ...(until && { until }) },
      };
    });
    await makeDue(caseModel(connection), caseId);
  } finally {
    await connection.close();
  }
}

/**
 * Suspends a person, whether or not somebody has reported them.
 *
 * @param suspension - When it ends, and the reason, for admins.
 * @throws `user-not-found` if moderation has no replica of the person yet.
 */
export const suspendUser = ({ until, note, ...user }: UserReference & { until: Date; note: string }) =>
  decide(user, { action: 'suspend', until, note });

/**
 * Ends a person's suspension.
 *
 * @throws `user-not-found`, and `nothing-to-decide` if they are not suspended.
 */
export const endSuspension = ({ note, ...user }: UserReference & { note: string }) =>
  decide(user, { action: 'restore', until: undefined, note });
