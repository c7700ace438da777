import type { RegistrationMode } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import { Problem } from '@wayquest/platform/core';
import type { MailLanguage } from '@wayquest/platform/mail';
import type { Waiting } from './account.model.ts';
import type { Accounts } from './accounts.ts';
import type { Invitations } from './invitations.ts';

/** For how long an account waits for approval, before it is deleted. */
const waitingMs = 30 * 24 * 60 * 60 * 1_000;

/** Somebody who creates an account. */
interface Applicant {
  /** The code of an invitation. */
  invitation: string | undefined;
  /** Identifies the sign-up to its invitation, see `Invitations.claim`. */
  id: string;
  /** Where and how to tell them that their account was approved. */
  email?: string | undefined;
  language: MailLanguage;
}

/** Decides who can create an account. Operators can create accounts in any case, by a command. */
export interface Registration {
  mode: RegistrationMode;
  /**
   * Creates an account, if the applicant may have one. If an invitation is needed, or takes the place of an approval, one of its
   * uses is taken, unless the account turns out to be impossible.
   *
   * @param create - Is called with what the account has to wait with, if it needs approval.
   * @throws `registration-closed`, `registration-full`, `invitation-required`, `invitation-invalid`; the errors of `create`.
   */
  register<T>(applicant: Applicant, create: (waiting?: Waiting) => Promise<T>): Promise<T>;
}

export interface RegistrationDeps {
  mode: RegistrationMode;
  invitations: Invitations;
  accounts: Pick<Accounts, 'countWaiting'>;
  /** How many accounts may wait for approval at a time. */
  maxWaiting: number;
  clock: Clock;
}

/** Creates the decision about new accounts. */
export function createRegistration({
  mode,
  invitations,
  accounts,
  maxWaiting,
  clock,
}: RegistrationDeps): Registration {
  return {
    mode,
    async register<T>(
      { invitation, id, email, language }: Applicant,
      create: (waiting?: Waiting) => Promise<T>,
    ): Promise<T> {
      if (mode === 'open') return create();
      if (mode === 'closed') throw new Problem('registration-closed');
      if (mode === 'approval' && !invitation) {
        // Of concurrent sign-ups, a few more may come in.
        if ((await accounts.countWaiting(maxWaiting)) >= maxWaiting) throw new Problem('registration-full');
        return create({ until: new Date(clock.now() + waitingMs), language, ...(email && { email }) });
      }
      if (!invitation) throw new Problem('invitation-required');
      if (!(await invitations.claim(invitation, id))) throw new Problem('invitation-invalid');
      try {
        return await create();
      } catch (error) {
        // Problems are noticed before the account is written. After any other error it may exist; a repeated call joins in the claim.
        if (error instanceof Problem) await invitations.release(invitation, id);
        throw error;
      }
    },
  };
}
