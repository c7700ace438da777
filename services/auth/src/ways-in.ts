import { Problem } from '@wayquest/platform/core';
import type { Model } from 'mongoose';
import type { Account } from './account.model.ts';
import type { StoredPasskey } from './passkey.model.ts';

/** The login methods of an account. */
export type WaysIn = Pick<Account, 'passwordHash' | 'googleId' | 'passkeys'>;

/** Throws `last-way-in` if no login method would remain. */
export function requireWayIn({ passwordHash, googleId, passkeys }: WaysIn): void {
  if (!passwordHash && !googleId && !passkeys?.length) throw new Problem('last-way-in');
}

/** The login methods besides the password. */
export interface WithoutPassword {
  google: boolean;
  /** Their names, oldest first. */
  passkeys: string[];
}

export type WaysWithoutPassword = ReturnType<typeof createWaysWithoutPassword>;

/** Creates the query for how an account's owner can log in without a password. */
export const createWaysWithoutPassword =
  (model: Model<StoredPasskey>) =>
  async ({
    _id: accountId,
    googleId,
    passkeys,
  }: Pick<Account, '_id' | 'googleId' | 'passkeys'>): Promise<WithoutPassword> => {
    const found = passkeys?.length
      ? await model
          .find({ accountId, _id: { $in: passkeys } })
          .sort({ madeAt: 1 })
          .lean()
      : [];
    return { google: !!googleId, passkeys: found.map(({ name }) => name) };
  };
