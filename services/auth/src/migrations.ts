import { type Migration, pagesById, renameFields } from '@wayquest/platform/store';
import type { Connection } from 'mongoose';
import { accountModel } from './account.model.ts';
import type { UsernameLooks } from './username-looks.ts';

// For stores of version 0.1.0. Removed with 0.3.0, which reads those of 0.2.0 only.

const batch = 500;

/** Claims the looks of all usernames, the oldest first: existing look-alikes keep their usernames. */
export const usernameLooks = (connection: Connection, looks: UsernameLooks): Migration => ({
  name: '001-username-looks',
  async run() {
    const Accounts = accountModel(connection);
    const pages = pagesById((after) =>
      Accounts.find({ ...after, deletedAt: null }, { username: 1 })
        .sort({ _id: 1 })
        .limit(batch)
        .lean(),
    );
    for await (const accounts of pages) await looks.claimAll(accounts);
  },
});

/** Renames the time from which an account's tokens are valid, `tokensFrom`. */
export const tokensValidFrom = (connection: Connection): Migration => ({
  name: '002-tokens-valid-from',
  run: () => renameFields(connection, 'accounts', { tokensFrom: 'tokensValidFrom' }),
});
