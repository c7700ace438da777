import type { RegistrationMode } from '@wayquest/contracts';
import { isProblem, Problem } from '@wayquest/platform/core';
import type { Invitations } from './invitations.ts';

/** Somebody who creates an account. */
interface Applicant {
  /** The code of an invitation. */
  invitation: string | undefined;
  /** Identifies the sign-up to its invitation, see `Invitations.claim`. */
  id: string;
}

/** Decides who can create an account. Operators can create accounts in any case, by a command. */
export interface Registration {
  mode: RegistrationMode;
  /**
   * Creates an account, if the applicant may have one. If an invitation is needed, one of its uses is taken, unless the
   * username turns out to be taken.
   *
   * @throws `registration-closed`, `invitation-required`, `invitation-invalid`; the errors of `create`.
   */
  register<T>(applicant: Applicant, create: () => Promise<T>): Promise<T>;
}

/** Creates the decision about new accounts. */
export function createRegistration(mode: RegistrationMode, invitations: Invitations): Registration {
  return {
    mode,
    async register<T>({ invitation, id }: Applicant, create: () => Promise<T>): Promise<T> {
      if (mode === 'open') return create();
      if (mode === 'closed') throw new Problem('registration-closed');
      if (!invitation) throw new Problem('invitation-required');
      if (!(await invitations.claim(invitation, id))) throw new Problem('invitation-invalid');
      try {
        return await create();
      } catch (error) {
        // After any other error the account may exist; a repeated call joins in the claim.
        if (isProblem(error, 'username-taken')) await invitations.release(invitation, id);
        throw error;
      }
    },
  };
}
