import { connectMongo, createRevocations } from '@wayquest/platform/store';
import type { Logger } from '@wayquest/platform/telemetry';
import { accountModel } from './account.model.ts';
import { createAccounts } from './accounts.ts';
import { createUsernames } from './usernames.ts';

export interface AdminChange {
  mongoUrl: string;
  databasePrefix: string;
  logger: Logger;
  username: string;
  admin: boolean;
}

/**
 * Gives or takes an admin's rights, beside the running service or without one: what it tells the others waits in
 * the account's outbox, which the service sends. Answers the username as its owner writes it; nothing when nobody
 * has it.
 */
export async function setAdmin({
  mongoUrl,
  databasePrefix,
  logger,
  username,
  admin,
}: AdminChange): Promise<string | undefined> {
  const connection = await connectMongo({ url: mongoUrl, database: `${databasePrefix}_auth`, logger });
  try {
    const model = accountModel(connection);
    const revocations = createRevocations(connection);
    const accounts = createAccounts({
      model,
      nextId: () => Promise.reject(new Error('no account is made here')),
      outbox: { create: () => Promise.reject(new Error('no account is made here')), send() {} },
      usernames: createUsernames(connection),
      revoke: ({ data }) => revocations.add(data),
      revocationsOf: revocations.of,
    });
    const account = await accounts.findByUsername(username);
    if (!account) return undefined;
    await accounts.setAdmin(account._id, admin);
    // The service need not wait until this process would have sent it.
    await model.updateOne(
      { _id: account._id, outboxDueAt: { $type: 'date' }, outboxClaim: null },
      { $set: { outboxDueAt: new Date() } },
    );
    return account.username;
  } finally {
    await connection.close();
  }
}
