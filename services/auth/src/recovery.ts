import { isProblem, Problem } from '@wayquest/platform/core';
import type { MailLanguage } from '@wayquest/platform/mail';
import { type Logger, logSecurityEvent } from '@wayquest/platform/telemetry';
import { type Account, emailKey } from './account.model.ts';
import type { Accounts } from './accounts.ts';
import type { Attempts } from './login-attempts.ts';
import type { FindPasswordlessMethods, PasswordPolicy } from './login-methods.ts';
import type { MailLinks } from './mail-links.ts';
import type { Mails } from './mails.ts';
import { assertPasswordAllowed, type Passwords } from './passwords.ts';
import type { OwnershipProof, Reauthentication } from './reauthentication.ts';

/** Maximum number of accounts with one address that get a mail. */
const maxAccounts = 5;

export interface RecoveryDeps {
  logger: Logger;
  accounts: Accounts;
  attempts: Attempts;
  passwords: Passwords;
  passwordPolicy: PasswordPolicy;
  reauthentication: Reauthentication;
  links: MailLinks;
  mails: Mails;
  findPasswordlessMethods: FindPasswordlessMethods;
}

/** Account recovery by mail, and the confirmed addresses that it uses. */
export interface Recovery {
  /**
   * Responds before it looks the address up, so that the duration does not reveal whether it exists. Throws
   * `password-login-off`, for admins, too: the response must not reveal whose address it is.
   */
  requestReset(email: string, request: { address: string; language: MailLanguage }): Promise<void>;
  /** Returns the username of a reset link's account. Throws `invalid-link`. */
  findReset(token: string, address: string): Promise<{ username: string }>;
  /** Throws `invalid-link` and `password-login-off`. */
  reset(
    options: { token: string; password: string },
    request: { address: string; language: MailLanguage },
  ): Promise<void>;
  /** Sends a link to confirm a new address; an empty one removes the account's address. */
  changeEmail(email: string, proof: OwnershipProof, language: MailLanguage): Promise<void>;
  /** Throws `invalid-link`. */
  confirmEmail(token: string, request: { address: string; language: MailLanguage }): Promise<void>;
  /** Waits for mails that are sent after their response. */
  waitForPending(): Promise<void>;
}

/** Creates the recovery of an account by a confirmed mail address. */
export function createRecovery({
  logger,
  accounts,
  attempts,
  passwords,
  passwordPolicy,
  reauthentication,
  links,
  mails,
  findPasswordlessMethods,
}: RecoveryDeps): Recovery {
  const pending = new Set<Promise<void>>();

  const sendLinks = async (email: string, language: MailLanguage) => {
    try {
      await attempts.countLink(emailKey(email));
      for (const { _id, username, email: to } of await accounts.findByEmail(email, maxAccounts))
        if (to)
          mails.reset({ id: _id, to, username, language }, await links.create('reset', _id, { email: to }));
    } catch (error) {
      // The response is the same whether there was an account, or its limit of links was reached.
      if (!isProblem(error, 'too-many-attempts'))
        logger.error({ err: error }, 'could not send a recovery link');
    }
  };

  /** Sets or removes the address, and sends a mail to the previous one. */
  const setEmail = async (accountId: number, email: string | null, language: MailLanguage) => {
    let before: Account['email'];
    const { username } = await accounts.update(accountId, (account) => {
      before = account.email;
      return { email };
    });
    await links.erase(accountId);
    logSecurityEvent(logger, { event: 'email-changed', service: 'auth', userId: accountId });
    if (before && emailKey(before) !== (email && emailKey(email)))
      mails.emailChanged({ id: accountId, to: before, username, language });
  };

  return {
    async requestReset(email: string, { address, language }: { address: string; language: MailLanguage }) {
      passwordPolicy.assertAllowed();
      await attempts.countPasswordRequest(address);
      const sending = sendLinks(email, language).finally(() => pending.delete(sending));
      pending.add(sending);
    },

    findReset: (token: string, address: string) =>
      attempts.verifyByAddress(address, async () => {
        const found = await links.find('reset', token);
        const account = found && (await accounts.findById(found.accountId));
        if (!account) throw new Problem('invalid-link');
        return { username: account.username };
      }),

    reset: (
      { token, password }: { token: string; password: string },
      { address, language }: { address: string; language: MailLanguage },
    ) =>
      attempts.verifyByAddress(address, async () => {
        const found = await links.find('reset', token);
        const account = found && (await accounts.findById(found.accountId));
        if (!account) throw new Problem('invalid-link');
        // A rejected password must not use up the link.
        passwordPolicy.assertAllowed(account);
        assertPasswordAllowed(password, { username: account.username, field: 'password' });
        const passwordHash = await passwords.hash(password);
        const link = await links.consume('reset', token);
        if (!link) throw new Problem('invalid-link');
        const changed = await accounts.update(
          link.accountId,
          // The first link of an account that an admin created: whoever uses it can read the mails there.
          ({ email }) => ({ passwordHash, ...(!email && link.email && { email: link.email }) }),
          { revokeTokens: true },
        );
        const { _id: userId, username } = changed;
        await links.erase(userId);
        logSecurityEvent(logger, { event: 'password-reset', service: 'auth', userId });
        if (changed.email !== account.email)
          logSecurityEvent(logger, { event: 'email-changed', service: 'auth', userId });
        const to = link.email ?? changed.email;
        if (to)
          mails.passwordChanged(
            { id: userId, to, username, language },
            await findPasswordlessMethods(changed),
          );
      }),

    async changeEmail(email: string, proof: OwnershipProof, language: MailLanguage): Promise<void> {
      const { _id, username, emailKey: current } = await reauthentication.requireRecentAuth(proof);
      if (email === '') {
        if (current) await setEmail(_id, null, language);
      } else if (emailKey(email) !== current) {
        await attempts.countLink(`account ${_id}`);
        await attempts.countLink(emailKey(email));
        mails.confirm(
          { id: _id, to: email, username, language },
          await links.create('confirm', _id, { email }),
        );
      }
    },

    confirmEmail: (token: string, { address, language }: { address: string; language: MailLanguage }) =>
      attempts.verifyByAddress(address, async () => {
        const link = await links.consume('confirm', token);
        if (!link?.email) throw new Problem('invalid-link');
        await setEmail(link.accountId, link.email, language);
      }),

    async waitForPending(): Promise<void> {
      await Promise.all(pending);
    },
  };
}
