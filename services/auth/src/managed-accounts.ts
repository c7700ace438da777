import type { AccountFilter, ManagedAccount, OperationRequest, Operations } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import { isProblem, Problem } from '@wayquest/platform/core';
import type { Idempotency } from '@wayquest/platform/http';
import type { MailLanguage } from '@wayquest/platform/mail';
import type { QueryFilter } from 'mongoose';
import { type Account, type AccountModel, emailKey, usernameKey } from './account.model.ts';
import { type Accounts, assertNotWaiting } from './accounts.ts';
import type { PasswordPolicy } from './login-methods.ts';
import { type MailLinks, passwordLinkMs } from './mail-links.ts';
import type { Mails } from './mails.ts';

type AccountQuery = OperationRequest<Operations['listAccounts']>['query'];
type NewManagedAccount = OperationRequest<Operations['createAccount']>['body'];

/** Page size without a `limit`. */
export const defaultLimit = 50;

export interface ManagedAccountsDeps {
  model: AccountModel;
  accounts: Accounts;
  passwordPolicy: PasswordPolicy;
  links: MailLinks;
  mails: Mails;
  /** Whether mails reach their recipients; otherwise an admin hands links over. */
  sendsMails: boolean;
  clock: Clock;
}

/** A link for a password: where it was mailed to, or its secret. */
type PasswordLink = { mailedTo: string } | { token: string };

/** Accounts as admins manage them. All throw `user-not-found` for an id that no account has. */
export interface ManagedAccounts {
  /** In the order of usernames. */
  list(accountQuery: AccountQuery): Promise<ManagedAccount[]>;
  /** Publishes the account, and tells its person. One that is not waiting stays as it is. */
  approve(id: number): Promise<ManagedAccount>;
  /** Deletes the account. Throws `account-not-waiting`. */
  decline(id: number): Promise<void>;
  /**
   * Creates an account without a password, and a link that sets one. Throws `username-taken`, unless this repeats the call that
   * created it, and `password-login-off`.
   */
  create(
    account: NewManagedAccount,
    context: { language: MailLanguage; idempotency: Idempotency | undefined },
  ): Promise<{ account: ManagedAccount } & PasswordLink>;
  /** Throws `account-waiting`, `password-login-off`, and `forbidden` for the caller's own account. */
  createPasswordLink(id: number, language: MailLanguage, callerId: number): Promise<PasswordLink>;
  /** Throws `account-waiting`, and `own-rights` and `last-admin` where somebody would lose rights. */
  changeRights(id: number, admin: boolean, callerId: number): Promise<ManagedAccount>;
}

const beginsWith = (text: string) => ({ $gte: text, $lt: `${text}\uffff` });

/** Where the page after an account begins. */
export const cursorAfter = ({ username }: Pick<ManagedAccount, 'username'>): string => usernameKey(username);

/** Creates what admins do with accounts. Suspending them is up to moderation. */
export function createManagedAccounts({
  model,
  accounts,
  passwordPolicy,
  links,
  mails,
  sendsMails,
  clock,
}: ManagedAccountsDeps): ManagedAccounts {
  const toManaged = (account: Omit<Account, 'outbox'>): ManagedAccount => {
    const { _id: id, username, email, registeredAt, admin, waiting, suspendedUntil, deletesAt } = account;
    const isSuspended = !!suspendedUntil && suspendedUntil.getTime() > clock.now();
    return {
      ...{ id, username, email: email ?? waiting?.email ?? '', admin },
      registeredAt: registeredAt?.toISOString() ?? null,
      waitingUntil: waiting?.until.toISOString() ?? null,
      suspendedUntil: isSuspended ? suspendedUntil.toISOString() : null,
      deletesAt: deletesAt?.toISOString() ?? null,
    };
  };

  const find = async (id: number): Promise<Account> => {
    const account = await accounts.findById(id);
    if (!account) throw new Problem('user-not-found');
    return account;
  };

  /** The accounts of a filter, and the index that finds them. Those that are waiting or suspended are few, and sorted afterwards. */
  const selectionOf = (filter: AccountFilter): { only: QueryFilter<Account>; index: Record<string, 1> } => {
    const later = { $gt: new Date(clock.now()) };
    switch (filter) {
      case 'all':
        return { only: {}, index: { usernameKey: 1 } };
      case 'admins':
        return { only: { admin: true }, index: { admin: 1, usernameKey: 1 } };
      case 'waiting':
        return { only: { 'waiting.until': later }, index: { 'waiting.until': 1 } };
      case 'suspended':
        return { only: { suspendedUntil: later }, index: { suspendedUntil: 1 } };
    }
  };

  const isOtherAdmin = (id: number) => ({ admin: true, _id: { $ne: id } });

  return {
    async list({ filter = 'all', search = '', limit = defaultLimit, cursor = '' }: AccountQuery) {
      const { only, index } = selectionOf(filter);
      const isEmail = search.includes('@');
      const found = await model
        .find(
          {
            deletedAt: null,
            ...only,
            usernameKey: { $gt: cursor, ...(!isEmail && search && beginsWith(usernameKey(search))) },
            ...(isEmail && { emailKey: beginsWith(emailKey(search)) }),
          },
          { outbox: 0 },
        )
        .sort({ usernameKey: 1 })
        .hint(isEmail ? { emailKey: 1 } : index)
        .limit(limit)
        .lean();
      return found.map(toManaged);
    },

    async approve(id: number) {
      const { email: to, language } = (await find(id)).waiting ?? {};
      // Before the approval, after which a repeated call does not know the address any more. An unused link expires.
      const token = to && (await links.create('confirm', id, { email: to }));
      const { account, waited } = await accounts.approve(id);
      if (waited && to && language && token)
        mails.approved({ id, to, username: account.username, language }, token);
      return toManaged(account);
    },

    decline: accounts.decline,

    async create(
      { username, email }: NewManagedAccount,
      { language, idempotency }: { language: MailLanguage; idempotency: Idempotency | undefined },
    ) {
      passwordPolicy.assertAllowed();
      const account = await accounts
        .register({ username, ...(idempotency && { idempotencyKey: idempotency.key }) })
        .catch(async (error: unknown) => {
          const existing =
            idempotency && isProblem(error, 'username-taken') && (await accounts.findByUsername(username));
          if (!existing || existing.idempotencyKey !== idempotency?.key) throw error;
          return existing;
        });
      const { _id: id } = account;
      // An address is only confirmed by a link that was sent there.
      const to = sendsMails ? email : undefined;
      const token = await links.create('reset', id, { email: to, lifetimeMs: passwordLinkMs });
      if (to) mails.accountCreated({ id, to, username: account.username, language }, token);
      return { account: toManaged(account), ...(to ? { mailedTo: to } : { token }) };
    },

    async createPasswordLink(id: number, language: MailLanguage, callerId: number) {
      // It would set a password without the current one.
      if (id === callerId)
        throw new Problem('forbidden', { detail: 'Change your own password in your settings.' });
      const account = await find(id);
      assertNotWaiting(account);
      passwordPolicy.assertAllowed(account);
      const { email, username } = account;
      const to = (sendsMails && email) || undefined;
      const token = await links.create('reset', id, { email: to });
      if (!to) return { token };
      mails.reset({ id, to, username, language }, token);
      return { mailedTo: to };
    },

    async changeRights(id: number, admin: boolean, callerId: number) {
      const account = await find(id);
      if (account.admin && !admin) {
        if (id === callerId) throw new Problem('own-rights');
        if (!(await model.countDocuments(isOtherAdmin(id), { limit: 1 }))) throw new Problem('last-admin');
      }
      return toManaged(await accounts.setAdmin(id, admin));
    },
  };
}
