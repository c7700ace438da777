import { type ActiveSession, Username } from '@wayquest/contracts';
import { systemClock } from '@wayquest/platform/async';
import { Problem } from '@wayquest/platform/core';
import { makeDue } from '@wayquest/platform/outbox';
import { connectMongo, createIdAllocator } from '@wayquest/platform/store';
import type { Logger } from '@wayquest/platform/telemetry';
import { createRevocations } from '@wayquest/platform/tokens/revocations';
import { type Account, type AccountModel, accountModel } from './account.model.ts';
import { type Accounts, assertNotWaiting, createAccounts } from './accounts.ts';
import { createHashKey, type HashKey } from './hash-key.ts';
import {
  createInvitations,
  type InvitationSummary,
  type Invitations,
  invitationModel,
  type NewInvitation,
} from './invitations.ts';
import { createMailLinks, type MailLinks, mailLinkModel } from './mail-links.ts';
import { createOpenSessions, type OpenSessions, openSessionModel } from './open-sessions.ts';
import { createUsernameLooks } from './username-looks.ts';
import { createUsernames } from './usernames.ts';

/** The stores of an installation. */
export interface StoreReference {
  mongoUrl: string;
  databasePrefix: string;
  logger: Logger;
}

export interface AccountReference extends StoreReference {
  username: string;
}

interface AuthStore {
  model: AccountModel;
  accounts: Accounts;
  hashKey: HashKey;
  open: OpenSessions;
  links: MailLinks;
  invitations: Invitations;
}

/** Opens auth's store, with or without a running service. */
async function withStore<T>(
  { mongoUrl, databasePrefix, logger }: StoreReference,
  run: (store: AuthStore) => Promise<T>,
): Promise<T> {
  const clock = systemClock;
  const connection = await connectMongo({ url: mongoUrl, database: `${databasePrefix}_auth`, logger });
  try {
    const model = accountModel(connection);
    const revocations = createRevocations(connection);
    const hashKey = createHashKey(connection);
    const ids = createIdAllocator(connection);
    const accounts = createAccounts({
      model,
      nextId: () => ids.next('account'),
      outbox: {
        // Due at once, for the service to publish.
        async create(account, outbox) {
          await model.create({ ...account, outbox, outboxDueAt: new Date(clock.now()) });
        },
        send() {},
      },
      usernames: createUsernames({
        connection,
        hashKey,
        looks: createUsernameLooks(connection, clock),
        clock,
      }),
      revoke: ({ data }) => revocations.add(data),
      revocationsOf: revocations.listFor,
      clock,
    });
    return await run({
      ...{ model, accounts, hashKey },
      open: createOpenSessions(openSessionModel(connection), clock),
      links: createMailLinks(mailLinkModel(connection), clock),
      invitations: createInvitations(invitationModel(connection), hashKey, clock),
    });
  } finally {
    await connection.close();
  }
}

/**
 * Opens a user's account, with or without a running service. Returns undefined if nobody has the username. Throws if the store
 * is that of an earlier version, which the service migrates when it starts.
 */
const withAccount = <T>(
  { username, ...reference }: AccountReference,
  run: (account: Account, store: AuthStore) => Promise<T>,
): Promise<T | undefined> =>
  withStore(reference, async (store) => {
    const account = await store.accounts.findByUsername(username);
    if (!account) return undefined;
    if (!account.tokensValidFrom)
      throw new Error(
        'The store is that of an earlier version: start auth once, which migrates it, then try again.',
      );
    return run(account, store);
  });

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
    await makeDue(model, _id);
    return username;
  });

/** Grants or revokes admin rights. */
export const setAdmin = ({ admin, ...reference }: AccountReference & { admin: boolean }) =>
  changeAccount(reference, (accounts, id) => accounts.setAdmin(id, admin));

/** Approves an account that waits for it. Its person gets no mail: only the service sends mails. */
export const approveAccount = (reference: AccountReference) =>
  changeAccount(reference, async (accounts, id) => {
    const { waited } = await accounts.approve(id);
    if (!waited) throw new Problem('account-not-waiting');
  });

/** Declines an account that waits for approval, which deletes it. */
export const declineAccount = (reference: AccountReference): Promise<string | undefined> =>
  withAccount(reference, async ({ _id, username }, { accounts }) => {
    await accounts.decline(_id);
    return username;
  });

/** Finds the id of a user, and the username as its owner writes it. Throws a sentence about one who waits for approval. */
export const findAccount = (reference: AccountReference) =>
  withAccount(reference, async (account) => {
    assertNotWaiting(account);
    return { id: account._id, username: account.username };
  });

/** Logs somebody out everywhere. */
export const endSessionsOf = (reference: AccountReference) =>
  changeAccount(reference, (accounts, id) => accounts.endSessions(id));

/** A user's sessions, as shown in their settings. */
export const sessionsOf = (reference: AccountReference): Promise<ActiveSession[] | undefined> =>
  withAccount(reference, (account, { open }) => open.listFor(account));

/** An account in a list for operators. */
interface AccountSummary {
  id: number;
  username: string;
  /** Undefined for accounts of older versions. */
  since: Date | undefined;
  admin: boolean;
  /** Undefined unless the account is suspended. */
  suspendedUntil: Date | undefined;
  /** Undefined unless the account waits for approval: when it is deleted. */
  waitingUntil: Date | undefined;
}

/** All accounts, or those whose username contains a text, in the order in which they were created. */
export const accountsIn = ({ search = '', ...reference }: StoreReference & { search?: string | undefined }) =>
  withStore(reference, async ({ model }): Promise<AccountSummary[]> => {
    const fields = { username: 1, usernameKey: 1, registeredAt: 1, admin: 1, suspendedUntil: 1, waiting: 1 };
    const now = new Date(systemClock.now());
    const found: AccountSummary[] = [];
    const all = model.find({ _id: { $gt: 0 }, deletedAt: null }, fields).sort({ _id: 1 });
    for await (const account of all.lean().cursor()) {
      const { _id: id, username, usernameKey, registeredAt, admin, suspendedUntil, waiting } = account;
      if (usernameKey.includes(search.toLowerCase()))
        found.push({
          ...{ id, username, admin },
          since: registeredAt ?? undefined,
          suspendedUntil: suspendedUntil && suspendedUntil > now ? suspendedUntil : undefined,
          waitingUntil: waiting?.until,
        });
    }
    return found;
  });

/** The username of an account, and the secret of a link that sets its password. */
interface PasswordLink {
  username: string;
  token: string;
}

/**
 * Creates an account without a password, whoever can sign up; the service publishes it.
 *
 * @throws A sentence for the operator if nobody can have the username, or if the service has never used the store.
 */
export const createAccount = ({ username: requested, ...reference }: AccountReference) =>
  withStore(reference, async ({ accounts, hashKey, links }): Promise<PasswordLink> => {
    const { data: username, error } = Username.safeParse(requested);
    if (error) throw new Error(`A username ${error.issues[0]?.message}.`);
    // Usernames that were given up are stored as keyed hashes.
    if (!(await hashKey.load()))
      throw new Error('The store is new, or that of an earlier version: start auth once, then try again.');
    const { _id } = await accounts.register({ username });
    return { username, token: await links.create('reset', _id) };
  });

/** Makes a link that sets a user's password, as one in a mail does. */
export const passwordLinkOf = (reference: AccountReference): Promise<PasswordLink | undefined> =>
  withAccount(reference, async (account, { links }) => {
    assertNotWaiting(account);
    return { username: account.username, token: await links.create('reset', account._id) };
  });

/** Makes an invitation to create an account. */
export const createInvitation = ({
  invitation,
  ...reference
}: StoreReference & { invitation: NewInvitation }) =>
  withStore(reference, ({ invitations }) => invitations.create(invitation));

/** The invitations that have not expired, without their codes. */
export const invitationsIn = (reference: StoreReference): Promise<InvitationSummary[]> =>
  withStore(reference, ({ invitations }) => invitations.list());

/** Deletes an invitation. Throws a sentence if there is none. */
export const revokeInvitation = ({ id, ...reference }: StoreReference & { id: string }): Promise<void> =>
  withStore(reference, ({ invitations }) => invitations.revoke(id));
