import type { Clock } from '@wayquest/platform/async';
import { isDuplicateKey } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';
import { type Account, accountModel, usernameKey } from './account.model.ts';

/** The look of a username, and its account: a claim, whose key is unique in a sharded collection, too. */
interface UsernameLook {
  _id: string;
  accountId: number;
  claimedAt: Date;
}

const schema = new Schema<UsernameLook>({
  _id: { type: String, required: true },
  accountId: { type: Number, required: true },
  claimedAt: { type: Date, required: true },
});
schema.set('shardKey', { _id: 'hashed' });
schema.index({ accountId: 1 });

/** Characters that look the same in most typefaces; one or two for one. */
const confusables: [RegExp, string][] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/[1i]/g, 'l'],
  [/0/g, 'o'],
  [/[._-]+/g, '-'],
  [/^-|-$/g, ''],
];

/** The look of a username: equal for usernames that look alike. */
const lookOf = (username: string): string =>
  confusables.reduce((look, [signs, as]) => look.replace(signs, as), usernameKey(username)) || '-';

/** Lease of a claim whose account is still being written. */
const claimLeaseMs = 60_000;

/** Claims on the looks of usernames: only one account can have each. */
export interface UsernameLooks {
  /** Returns whether the look belongs to the account now; a claim of a given-up username is free again. */
  claim(username: string, accountId: number): Promise<boolean>;
  erase(accountId: number): Promise<void>;
  /** Claims the looks of accounts, as long as they are free: of existing look-alikes the first one gets it. */
  claimAll(accounts: readonly Pick<Account, '_id' | 'username'>[]): Promise<void>;
}

/** Creates the store of how usernames look, so that no two can be confused. */
export function createUsernameLooks(connection: Connection, clock: Clock): UsernameLooks {
  const Looks = connection.model<UsernameLook>('UsernameLook', schema, 'username_looks');
  const Accounts = accountModel(connection);

  const isClaimed = async ({ _id, accountId, claimedAt }: UsernameLook): Promise<boolean> => {
    if (claimedAt.getTime() > clock.now() - claimLeaseMs) return true;
    const account = await Accounts.findOne({ _id: accountId, deletedAt: null }, { username: 1 }).lean();
    return !!account && lookOf(account.username) === _id;
  };

  return {
    async claim(username: string, accountId: number): Promise<boolean> {
      const _id = lookOf(username);
      const claimed = { accountId, claimedAt: new Date(clock.now()) };
      try {
        await Looks.create({ _id, ...claimed });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const existingClaim = await Looks.findById(_id).lean();
      if (!existingClaim) return false;
      if (existingClaim.accountId !== accountId && (await isClaimed(existingClaim))) return false;
      const { accountId: before, claimedAt } = existingClaim;
      const { matchedCount } = await Looks.updateOne(
        { _id, accountId: before, claimedAt },
        { $set: claimed },
      );
      return matchedCount > 0;
    },

    async erase(accountId: number): Promise<void> {
      await Looks.deleteMany({ accountId });
    },

    async claimAll(accounts: readonly Pick<Account, '_id' | 'username'>[]): Promise<void> {
      const claimedAt = new Date(0);
      const claims = new Map<string, UsernameLook>();
      for (const { _id: accountId, username } of accounts) {
        const _id = lookOf(username);
        if (!claims.has(_id)) claims.set(_id, { _id, accountId, claimedAt });
      }
      await Looks.insertMany([...claims.values()], { ordered: false }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
    },
  };
}
