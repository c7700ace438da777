import { Problem } from '@wayquest/platform/core';
import type { Model } from 'mongoose';
import type { Account } from './account.model.ts';
import type { StoredPasskey } from './passkey.model.ts';

/** The login methods of an account. */
export type LoginMethods = Pick<Account, 'passwordHash' | 'googleId' | 'passkeys'>;

/** Throws `last-login-method` if no login method would remain. */
export function requireLoginMethod({ passwordHash, googleId, passkeys }: LoginMethods): void {
  if (!passwordHash && !googleId && !passkeys?.length) throw new Problem('last-login-method');
}

/** The login methods besides the password. */
export interface PasswordlessMethods {
  google: boolean;
  /** Their names, oldest first. */
  passkeys: string[];
}

/** Finds how an account's owner can log in without a password. */
export type FindPasswordlessMethods = (
  account: Pick<Account, '_id' | 'googleId' | 'passkeys'>,
) => Promise<PasswordlessMethods>;

/** Creates the query, in the passkeys of all accounts. */
export const createFindPasswordlessMethods =
  (model: Model<StoredPasskey>): FindPasswordlessMethods =>
  async ({ _id: accountId, googleId, passkeys }) => {
    const found = passkeys?.length
      ? await model
          .find({ accountId, _id: { $in: passkeys } })
          .sort({ madeAt: 1 })
          .lean()
      : [];
    return { google: !!googleId, passkeys: found.map(({ name }) => name) };
  };
