import type { Event } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import { newEvent } from '@wayquest/platform/bus';
import { isProblem, Problem } from '@wayquest/platform/core';
import { type Logger, logSecurityEvent } from '@wayquest/platform/telemetry';
import type { Account } from './account.model.ts';
import type { Accounts } from './accounts.ts';

/** Suspensions of accounts, as decided by moderation. */
export interface Suspensions {
  /** Applies a decision; an older one that arrives late changes nothing. */
  apply(event: Pick<Event<'moderation.decided.v1'>, 'data'>): Promise<void>;
  /** Appeals once against each suspension. Throws `nothing-to-appeal`. */
  appeal(account: Pick<Account, '_id'>, comment: string): Promise<void>;
}

/** Creates the handler that applies moderation decisions to accounts. */
export function createSuspensions({
  logger,
  accounts,
  clock,
}: {
  logger: Logger;
  accounts: Accounts;
  clock: Clock;
}): Suspensions {
  const isSuspended = ({ suspendedUntil }: Pick<Account, 'suspendedUntil'>): boolean =>
    !!suspendedUntil && suspendedUntil.getTime() > clock.now();

  return {
    async apply({ data }: Pick<Event<'moderation.decided.v1'>, 'data'>): Promise<void> {
      if (data.kind !== 'user') return;
      const { subjectId: id, version: decision, decision: kind } = data;
      const until = data.suspendedUntil ? new Date(data.suspendedUntil) : null;
      let isNewSuspension = false;
      try {
        await accounts.update(
          id,
          (account) => {
            isNewSuspension = false;
            if ((account.decision ?? 0) >= decision) return undefined;
            if (!until && !account.suspendedUntil) return { decision };
            isNewSuspension = kind === 'suspend';
            return { decision, suspendedUntil: until, ...(kind === 'suspend' && { appealed: false }) };
          },
          { revokeTokens: !!until || kind === 'restore' },
        );
      } catch (error) {
        // The account was deleted meanwhile.
        if (!isProblem(error, 'invalid-token')) throw error;
        return;
      }
      if (isNewSuspension) logSecurityEvent(logger, { event: 'suspended', service: 'auth', userId: id });
    },

    async appeal({ _id: userId }: Pick<Account, '_id'>, comment: string): Promise<void> {
      await accounts.update(
        userId,
        (account) => {
          if (!isSuspended(account) || account.appealed) throw new Problem('nothing-to-appeal');
          return { appealed: true };
        },
        { alsoPublish: [newEvent('appeal.filed.v1', { userId, comment }, clock)] },
      );
    },
  };
}
