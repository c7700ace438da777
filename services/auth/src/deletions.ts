import { type Clock, type PeriodicTask, startPeriodicTask } from '@wayquest/platform/async';
import { isProblem, Problem } from '@wayquest/platform/core';
import type { MailLanguage } from '@wayquest/platform/mail';
import { type Logger, logSecurityEvent } from '@wayquest/platform/telemetry';
import type { Account } from './account.model.ts';
import type { Accounts } from './accounts.ts';
import type { Attempts } from './login-attempts.ts';
import type { Mails } from './mails.ts';
import type { OwnershipProof, Reauthentication } from './reauthentication.ts';

const dayMs = 24 * 60 * 60 * 1_000;

export interface DeletionsDeps {
  logger: Logger;
  accounts: Accounts;
  attempts: Attempts;
  reauthentication: Reauthentication;
  mails: Mails;
  clock: Clock;
  /** For how long a login cancels it. */
  graceDays: number;
  /** The interval between two searches for due accounts. */
  everyMs: number;
}

/** Deletion of accounts by their owners. */
export interface Deletions {
  graceDays: number;
  /** Requires the password whatever the session's age, and ends all sessions. Throws as `reauthentication.requireRecentAuth` does. */
  request(proof: OwnershipProof, language: MailLanguage): Promise<{ deletesAt: string }>;
  /**
   * Cancels it after a login to an account as it was read. Throws `invalid-credentials` if the account has just been deleted, or
   * if all its sessions have ended since: the login is as outdated as they are.
   */
  cancel(account: Pick<Account, '_id' | 'generation'>): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/**
 * Creates the requests for deletion, and the periodic task that carries out those whose grace period is over. It also deletes
 * accounts that waited for approval too long.
 */
export function createDeletions({
  logger,
  accounts,
  attempts,
  reauthentication,
  mails,
  clock,
  graceDays,
  everyMs,
}: DeletionsDeps): Deletions {
  let task: PeriodicTask | undefined;

  const logEvent = (event: 'deletion-requested' | 'deletion-canceled' | 'account-deleted', userId: number) =>
    logSecurityEvent(logger, { event, service: 'auth', userId });

  const sweep = async (stopping: AbortSignal) => {
    try {
      while (!stopping.aborted) {
        const deleted = [...(await accounts.deleteDue()), ...(await accounts.deleteExpired())];
        for (const id of deleted) logEvent('account-deleted', id);
        if (!deleted.length) return;
      }
    } catch (error) {
      logger.warn({ err: error }, 'could not delete accounts that are due');
    }
  };

  return {
    graceDays,

    async request(proof: OwnershipProof, language: MailLanguage): Promise<{ deletesAt: string }> {
      const { _id: id } = await reauthentication.requireRecentAuth(proof, { always: true });
      await attempts.countLink(`deletion ${id}`);
      const dueAt = new Date(clock.now() + graceDays * dayMs);
      const { deletesAt, username, email } = await accounts.update(
        id,
        (account) => (account.deletesAt ? undefined : { deletesAt: dueAt }),
        { revokeTokens: true },
      );
      if (deletesAt?.getTime() === dueAt.getTime()) {
        logEvent('deletion-requested', id);
        if (email) mails.deletion({ id, to: email, username, language }, dueAt);
      }
      return { deletesAt: (deletesAt ?? dueAt).toISOString() };
    },

    async cancel({ _id: id, generation = 0 }: Pick<Account, '_id' | 'generation'>): Promise<void> {
      let isCanceled = false;
      try {
        await accounts.update(id, (current) => {
          if ((current.generation ?? 0) !== generation) throw new Problem('invalid-credentials');
          isCanceled = !!current.deletesAt;
          return isCanceled ? { deletesAt: null } : undefined;
        });
      } catch (error) {
        throw isProblem(error, 'invalid-token')
          ? new Problem('invalid-credentials', { cause: error })
          : error;
      }
      if (isCanceled) logEvent('deletion-canceled', id);
    },

    start(): void {
      task = startPeriodicTask(everyMs, sweep, { clock });
    },

    stop: async (): Promise<void> => task?.stop(),
  };
}
