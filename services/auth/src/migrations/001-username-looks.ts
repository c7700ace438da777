import type { Migration } from '@wayquest/platform/store';
import type { Connection } from 'mongoose';
import { accountModel } from '../account.model.ts';
import type { UsernameLooks } from '../username-looks.ts';

const batch = 500;

/** Claims the looks of all usernames, the oldest first: existing look-alikes keep their usernames. */
export const usernameLooks = (connection: Connection, looks: UsernameLooks): Migration => ({
  name: '001-username-looks',
  async run() {
    const Accounts = accountModel(connection);
    for (let after = 0; ; ) {
      const found = await Accounts.find({ _id: { $gt: after }, deletedAt: null }, { username: 1 })
        .sort({ _id: 1 })
        .limit(batch)
        .lean();
      const last = found.at(-1);
      if (!last) return;
      await looks.claimAll(found);
      after = last._id;
    }
  },
});
