import { Problem } from '@wayquest/platform/core';
import type { MailLanguage } from '@wayquest/platform/mail';
import { type Logger, logSecurityEvent, type SecurityEvent } from '@wayquest/platform/telemetry';
import { type Account, type IdentityField, identityFields } from './account.model.ts';
import type { Accounts } from './accounts.ts';
import type { Attempts } from './login-attempts.ts';
import type { LoginCodes } from './login-codes.ts';
import type { RequireLoginMethod } from './login-methods.ts';
import type { Recipient } from './mails.ts';
import type { OwnershipProof, Reauthentication } from './reauthentication.ts';

/** An announcement to the owner of an account, and to operators. */
interface LinkNews {
  event: SecurityEvent['event'];
  mail(recipient: Recipient): void;
}

export interface IdentityLinksDeps {
  /** The field of accounts with the identity. */
  field: IdentityField;
  linked: LinkNews;
  unlinked: LinkNews;
  logger: Logger;
  accounts: Accounts;
  attempts: Attempts;
  reauthentication: Reauthentication;
  requireLoginMethod: RequireLoginMethod;
  codes: LoginCodes;
  /** Whether the provider says who is an admin, so that nobody keeps rights without it. */
  decidesRights: boolean;
}

/** Links identities of a provider to existing accounts, only started by their owners. */
export interface IdentityLinks {
  /**
   * Returns the id of the account to link. Requires the password even in a fresh session; throws as
   * `reauthentication.requireRecentAuth` does.
   */
  begin(proof: OwnershipProof): Promise<number>;
  /**
   * Links an identity if the caller started it in this browser. Throws `invalid-code` and, if another account has it,
   * `google-in-use` or `openid-in-use`.
   */
  finish(
    callback: { code: string; binding: string | undefined },
    request: { callerId: number; address: string; language: MailLanguage },
  ): Promise<void>;
  /**
   * Unlinks the provider, and takes an admin's rights if it decides about them. Throws `last-login-method`, and as
   * `reauthentication.requireRecentAuth` does.
   */
  unlink(proof: OwnershipProof, language: MailLanguage): Promise<void>;
}

/** Creates the links between accounts and identities of one provider. */
export function createIdentityLinks({
  field,
  linked,
  unlinked,
  logger,
  accounts,
  attempts,
  reauthentication,
  requireLoginMethod,
  codes,
  decidesRights,
}: IdentityLinksDeps): IdentityLinks {
  const announce = (
    { event, mail }: LinkNews,
    { _id: id, username, email }: Account,
    language: MailLanguage,
  ) => {
    logSecurityEvent(logger, { event, service: 'auth', userId: id });
    if (email) mail({ id, to: email, username, language });
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
        const identity = binding && (await codes.consumeForLink(field, code, binding, callerId));
        if (!identity) throw new Problem('invalid-code');
        const account = await accounts.update(callerId, (now) => {
          // It was linked to another identity meanwhile.
          if (now[field]) throw new Problem('invalid-code');
          return identityFields(field, identity);
        });
        announce(linked, account, language);
      }),

    async unlink(proof: OwnershipProof, language: MailLanguage): Promise<void> {
      const before = await reauthentication.requireRecentAuth(proof, { always: true });
      const account = await accounts.update(
        before._id,
        (now) => {
          if (!now[field]) return undefined;
          const removed = { ...identityFields(field, null), ...(decidesRights && { admin: false }) };
          requireLoginMethod({ ...now, ...removed });
          return removed;
        },
        { revokeTokens: decidesRights && before.admin },
      );
      if (before[field]) announce(unlinked, account, language);
    },
  };
}
