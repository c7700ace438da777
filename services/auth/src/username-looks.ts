import { isDuplicateKey, upsert } from '@wayquest/platform/store';
import { type Connection, Schema } from 'mongoose';
import { accountModel, usernameKey } from './account.model.ts';

/** How a username looks at a glance, and whose it is: a claim, which a sharded collection could keep unique too. */
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

interface MigrationDocument {
  _id: string;
  doneAt: Date;
}

const migrationSchema = new Schema<MigrationDocument>({
  _id: { type: String, required: true },
  doneAt: { type: Date, required: true },
});
migrationSchema.set('shardKey', { _id: 'hashed' });

/** Signs that look the same in most typefaces, one or two for one. */
const looksLike: [RegExp, string][] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/[1i]/g, 'l'],
  [/0/g, 'o'],
  [/[._-]+/g, '-'],
  [/^-|-$/g, ''],
];

/** A username as a glance takes it; two that look alike have the same. */
const lookOf = (username: string): string =>
  looksLike.reduce((look, [signs, as]) => look.replace(signs, as), usernameKey(username)) || '-';

/** For so long a claim stands without its account: it is being written. */
const writingMs = 60_000;
const batch = 500;
const migration = 'username-looks';

/** Who goes by a name that looks so: nobody else can. */
export function createUsernameLooks(connection: Connection) {
  const Looks = connection.model<UsernameLook>('UsernameLook', schema, 'username_looks');
  const Migrations = connection.model<MigrationDocument>('Migration', migrationSchema, 'migrations');
  const Accounts = accountModel(connection);

  const stands = async ({ _id, accountId, claimedAt }: UsernameLook): Promise<boolean> => {
    if (claimedAt.getTime() > Date.now() - writingMs) return true;
    const account = await Accounts.findOne({ _id: accountId, deletedAt: null }, { username: 1 }).lean();
    return !!account && lookOf(account.username) === _id;
  };

  return {
    /** Answers whether the name is the account's now; one that it gave up is free again by that. */
    async claim(username: string, accountId: number): Promise<boolean> {
      const _id = lookOf(username);
      const claimed = { accountId, claimedAt: new Date() };
      try {
        await Looks.create({ _id, ...claimed });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const held = await Looks.findById(_id).lean();
      if (!held) return false;
      if (held.accountId !== accountId && (await stands(held))) return false;
      const { accountId: before, claimedAt } = held;
      const { matchedCount } = await Looks.updateOne(
        { _id, accountId: before, claimedAt },
        { $set: claimed },
      );
      return matchedCount > 0;
    },

    async forget(accountId: number): Promise<void> {
      await Looks.deleteMany({ accountId });
    },

    /**
     * Claims the names of accounts from before, the oldest first, once in the life of a store: those that look alike keep
     * their names.
     */
    async claimOlder(): Promise<void> {
      if (await Migrations.exists({ _id: migration })) return;
      const claimedAt = new Date(0);
      for (let after = 0; ; ) {
        const found = await Accounts.find({ _id: { $gt: after }, deletedAt: null }, { username: 1 })
          .sort({ _id: 1 })
          .limit(batch)
          .lean();
        const last = found.at(-1);
        if (!last) break;
        const claims = new Map<string, UsernameLook>();
        for (const { _id: accountId, username } of found) {
          const _id = lookOf(username);
          if (!claims.has(_id)) claims.set(_id, { _id, accountId, claimedAt });
        }
        await Looks.insertMany([...claims.values()], { ordered: false }).catch((error: unknown) => {
          if (!isDuplicateKey(error)) throw error;
        });
        after = last._id;
      }
      await upsert(Migrations, { _id: migration }, { $setOnInsert: { doneAt: new Date() } });
    },
  };
}
