import type { ActiveSession } from '@wayquest/contracts';
import { connectMongo, createRevocations } from '@wayquest/platform/store';
import type { Logger } from '@wayquest/platform/telemetry';
import { type Account, type AccountModel, accountModel } from './account.model.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { openSessionModel } from './open-session.model.ts';
import { createOpenSessions, type OpenSessions } from './open-sessions.ts';

const refused = () => Promise.reject(new Error('no account is made or renamed here'));

export interface AccountReference {
  mongoUrl: string;
  databasePrefix: string;
  logger: Logger;
  username: string;
}

interface AuthStore {
  model: AccountModel;
  accounts: Accounts;
  open: OpenSessions;
}

/**
 * Opens a user's account, with or without a running service. Returns undefined if nobody has the username. Throws if the store
 * is that of an earlier version, which the service migrates when it starts.
 */
async function withAccount<T>(
  { mongoUrl, databasePrefix, logger, username }: AccountReference,
  use: (account: Account, store: AuthStore) => Promise<T>,
): Promise<T | undefined> {
  const connection = await connectMongo({ url: mongoUrl, database: `${databasePrefix}_auth`, logger });
  try {
    const model = accountModel(connection);
    const revocations = createRevocations(connection);
    const accounts = createAccounts({
      model,
      nextId: refused,
      outbox: { create: refused, send() {} },
      usernames: { require: refused, claim: refused, reserve: refused },
      revoke: ({ data }) => revocations.add(data),
      revocationsOf: revocations.listFor,
    });
    const account = await accounts.findByUsername(username);
    if (!account) return undefined;
    if (!account.tokensValidFrom)
      throw new Error(
        'The store is that of an earlier version: start auth once, which migrates it, then try again.',
      );
    return await use(account, { model, accounts, open: createOpenSessions(openSessionModel(connection)) });
  } finally {
    await connection.close();
  }
}

/**
 * Changes a user's account; the event waits in its outbox, which the service publishes. Returns the username as its owner
 * writes it.
 */
const changeAccount = (
  somebody: AccountReference,
  change: (accounts: Accounts, id: number) => Promise<unknown>,
): Promise<string | undefined> =>
  withAccount(somebody, async ({ _id, username }, { model, accounts }) => {
    await change(accounts, _id);
    // So that the service need not wait for this process's lease.
    await model.updateOne(
      { _id, outboxDueAt: { $type: 'date' }, outboxClaim: null },
      { $set: { outboxDueAt: new Date() } },
    );
    return username;
  });

/** Grants or revokes admin rights. */
export const setAdmin = ({ admin, ...somebody }: AccountReference & { admin: boolean }) =>
  changeAccount(somebody, (accounts, id) => accounts.setAdmin(id, admin));

/** Logs somebody out everywhere. */
export const endSessionsOf = (somebody: AccountReference) =>
  changeAccount(somebody, (accounts, id) => accounts.endSessions(id));

/** A user's sessions, as they see them themselves. */
export const sessionsOf = (somebody: AccountReference): Promise<ActiveSession[] | undefined> =>
  withAccount(somebody, (account, { open }) => open.of(account));
