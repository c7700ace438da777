import { Problem } from '@wayquest/platform/core';
import type { MailLanguage } from '@wayquest/platform/mail';
import { type Logger, logSecurityEvent } from '@wayquest/platform/telemetry';
import type { Account } from './account.model.ts';
import type { Accounts } from './accounts.ts';
import type { Attempts } from './login-attempts.ts';
import type { LoginCodes } from './login-codes.ts';
import { requireLoginMethod } from './login-methods.ts';
import type { Mails } from './mails.ts';
import type { OwnershipProof, Reauthentication } from './reauthentication.ts';

export interface GoogleLinksDeps {
  logger: Logger;
  accounts: Accounts;
  attempts: Attempts;
  reauthentication: Reauthentication;
  codes: LoginCodes;
  mails: Mails;
}

/** Links Google to an existing account, only started by its owner. */
export interface GoogleLinks {
  /**
   * Returns the id of the account to link. Requires the password even in a fresh session; throws as
   * `reauthentication.requireRecentAuth` does.
   */
  begin(proof: OwnershipProof): Promise<number>;
  /**
   * Links a Google identity if the caller started it in this browser. Throws `invalid-code` and `google-in-use`.
   */
  finish(
    callback: { code: string; binding: string | undefined },
    request: { callerId: number; address: string; language: MailLanguage },
  ): Promise<void>;
  /** Throws `last-login-method`, and as `reauthentication.requireRecentAuth` does. */
  unlink(proof: OwnershipProof, language: MailLanguage): Promise<void>;
}

/** Creates the links between accounts and Google accounts. */
export function createGoogleLinks({
  logger,
  accounts,
  attempts,
  reauthentication,
  codes,
  mails,
}: GoogleLinksDeps): GoogleLinks {
  const notify = (
    { _id: id, username, email }: Account,
    change: 'googleLinked' | 'googleUnlinked',
    language: MailLanguage,
  ) => {
    const event = change === 'googleLinked' ? 'google-linked' : 'google-unlinked';
    logSecurityEvent(logger, { event, service: 'auth', userId: id });
    if (email) mails[change]({ id, to: email, username, language });
  };

  return {
    async begin(proof: OwnershipProof): Promise<number> {
      const { _id } = await reauthentication.requireRecentAuth(proof, { always: true });
      return _id;
    },

    finish: (
      { code, binding }: { code: string; binding: string | undefined },
      { callerId, address, language }: { callerId: number; address: string; language: MailLanguage },
    ) =>
      attempts.verifyByAddress(address, async () => {
        const googleId = binding && (await codes.consumeForLink(code, binding, callerId));
        if (!googleId) throw new Problem('invalid-code');
        const account = await accounts.update(callerId, (now) => {
          // It was linked to another account meanwhile.
          if (now.googleId) throw new Problem('invalid-code');
          return { googleId };
        });
        notify(account, 'googleLinked', language);
      }),

    async unlink(proof: OwnershipProof, language: MailLanguage): Promise<void> {
      const { _id, googleId } = await reauthentication.requireRecentAuth(proof, { always: true });
      const account = await accounts.update(_id, (now) => {
        if (!now.googleId) return undefined;
        requireLoginMethod({ ...now, googleId: null });
        return { googleId: null };
      });
      if (googleId) notify(account, 'googleUnlinked', language);
    },
  };
}
