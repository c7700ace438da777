import type { PasswordLogin } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import type { Model } from 'mongoose';
import type { Account } from './account.model.ts';
import type { StoredPasskey } from './passkey.model.ts';

/** Who can use a password. Where passwords are off, one of an account that is no admin's counts as none. */
export interface PasswordPolicy {
  mode: PasswordLogin;
  /** Whether the account has a password that its owner can use. */
  hasPassword(account: Pick<Account, 'passwordHash' | 'admin'>): boolean;
  /** Throws `password-login-off`; without an account, unless everybody can use one. */
  assertAllowed(account?: Pick<Account, 'admin'>): void;
}

/** Creates the policy. Admins can use a password in any case: it is the way back if the other login fails. */
export function createPasswordPolicy(mode: PasswordLogin): PasswordPolicy {
  const isAllowed = (account: Pick<Account, 'admin'> | undefined) => mode === 'on' || account?.admin === true;
  return {
    mode,
    hasPassword: (account) => !!account.passwordHash && isAllowed(account),
    assertAllowed(account) {
      if (!isAllowed(account)) throw new Problem('password-login-off');
    },
  };
}

/** The login methods of an account. */
type LoginMethods = Pick<Account, 'passwordHash' | 'admin' | 'googleId' | 'openId' | 'passkeys'>;

/** Throws `last-login-method` if no login method would remain. */
export type RequireLoginMethod = (methods: LoginMethods) => void;

/** Creates the check. */
export const createRequireLoginMethod =
  ({ hasPassword }: Pick<PasswordPolicy, 'hasPassword'>): RequireLoginMethod =>
  (account) => {
    const { googleId, openId, passkeys } = account;
    if (!hasPassword(account) && !googleId && !openId && !passkeys?.length)
      throw new Problem('last-login-method');
  };

/** The login methods besides the password. */
export interface PasswordlessMethods {
  google: boolean;
  openId: boolean;
  /** Their names, oldest first. */
  passkeys: string[];
}

/** Finds how an account's owner can log in without a password. */
export type FindPasswordlessMethods = (
  account: Pick<Account, '_id' | 'googleId' | 'openId' | 'passkeys'>,
) => Promise<PasswordlessMethods>;

/** Creates the query, in the passkeys of all accounts. */
export const createFindPasswordlessMethods =
  (model: Model<StoredPasskey>): FindPasswordlessMethods =>
  async ({ _id: accountId, googleId, openId, passkeys }) => {
    const found = passkeys?.length
      ? await model
          .find({ accountId, _id: { $in: passkeys } })
          .sort({ madeAt: 1 })
          .lean()
      : [];
    return { google: !!googleId, openId: !!openId, passkeys: found.map(({ name }) => name) };
  };
