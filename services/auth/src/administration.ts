import type { ActiveSession } from '@wayquest/contracts';
import { systemClock } from '@wayquest/platform/async';
import { connectMongo } from '@wayquest/platform/store';
import type { Logger } from '@wayquest/platform/telemetry';
import { createRevocations } from '@wayquest/platform/tokens/revocations';
import { type Account, type AccountModel, accountModel } from './account.model.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { createOpenSessions, type OpenSessions, openSessionModel } from './open-sessions.ts';

const notSupported = () => Promise.reject(new Error('creating or renaming accounts is not supported here'));

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
  run: (account: Account, store: AuthStore) => Promise<T>,
): Promise<T | undefined> {
  const connection = await connectMongo({ url: mongoUrl, database: `${databasePrefix}_auth`, logger });
  try {
    const model = accountModel(connection);
    const revocations = createRevocations(connection);
    const accounts = createAccounts({
      model,
      nextId: notSupported,
      outbox: { create: notSupported, send() {} },
      usernames: {
        assertAvailable: notSupported,
        assertMayReserve: notSupported,
        claim: notSupported,
        reserve: notSupported,
      },
      revoke: ({ data }) => revocations.add(data),
      revocationsOf: revocations.listFor,
      clock: systemClock,
    });
    const account = await accounts.findByUsername(username);
    if (!account) return undefined;
    if (!account.tokensValidFrom)
      throw new Error(
        'The store is that of an earlier version: start auth once, which migrates it, then try again.',
      );
    const open = createOpenSessions(openSessionModel(connection), systemClock);
    return await run(account, { model, accounts, open });
  } finally {
    await connection.close();
  }
}

/**
 * Changes a user's account; the event waits in its outbox, which the service publishes. Returns the username as its owner
 * writes it.
 */
const changeAccount = (
  reference: AccountReference,
  change: (accounts: Accounts, id: number) => Promise<unknown>,
): Promise<string | undefined> =>
  withAccount(reference, async ({ _id, username }, { model, accounts }) => {
    await change(accounts, _id);
    // So that the service need not wait for this process's lease.
    await model.updateOne(
      { _id, outboxDueAt: { $type: 'date' }, outboxClaim: null },
      { $set: { outboxDueAt: new Date() } },
    );
    return username;
  });

/** Grants or revokes admin rights. */
export const setAdmin = ({ admin, ...reference }: AccountReference & { admin: boolean }) =>
  changeAccount(reference, (accounts, id) => accounts.setAdmin(id, admin));

/** Logs somebody out everywhere. */
export const endSessionsOf = (reference: AccountReference) =>
  changeAccount(reference, (accounts, id) => accounts.endSessions(id));

/** A user's sessions, as shown in their settings. */
export const sessionsOf = (reference: AccountReference): Promise<ActiveSession[] | undefined> =>
  withAccount(reference, (account, { open }) => open.listFor(account));
