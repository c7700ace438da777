import type { Event } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import { type Outbox, withEvents } from '@wayquest/platform/outbox';
import type { ReplayRecord } from '@wayquest/platform/service';
import { isDuplicateKey } from '@wayquest/platform/store';
import { clockSkewMs } from '@wayquest/platform/tokens';
import type { RevocationData } from '@wayquest/platform/tokens/revocations';
import {
  type Account,
  type AccountModel,
  emailKey,
  type IdentityField,
  identityFields,
  usernameKey,
  type Waiting,
} from './account.model.ts';
import { expiryFor } from './tokens.ts';
import type { Usernames } from './usernames.ts';

type Changes = Partial<
  Pick<
    Account,
    | 'username'
    | 'passwordHash'
    | IdentityField
    | 'passkeys'
    | 'admin'
    | 'email'
    | 'deletesAt'
    | 'suspendedUntil'
    | 'decision'
    | 'appealed'
  >
>;

export interface AccountsDeps {
  model: AccountModel;
  nextId(): Promise<number>;
  outbox: Pick<Outbox<Account>, 'create' | 'send'>;
  usernames: Pick<Usernames, 'assertAvailable' | 'assertMayReserve' | 'claim' | 'erase' | 'reserve'>;
  /** Applies a revocation in this service immediately; others get it by event. */
  revoke(event: Event<'token.revoked.v1'>): Promise<void>;
  revocationsOf(userId: number): Promise<RevocationData[]>;
  clock: Clock;
}

/**
 * How far a revocation reaches into the future: longer than the write takes and clocks differ, so that no token dated before
 * the write survives it. New tokens are never dated before it (`tokensValidFrom`).
 */
const revocationMarginMs = 2_000;

/** Who creates an account, and how they log in. */
export type NewAccount = Pick<Account, 'username'> &
  Partial<Pick<Account, 'passwordHash' | IdentityField | 'idempotencyKey' | 'waiting'>>;

type PublishedAccount = Pick<Account, '_id' | 'username' | 'admin' | 'version' | 'registeredAt'>;

const accountData = ({ _id, username, admin, version, registeredAt }: PublishedAccount) => ({
  ...{ id: _id, username, admin, version },
  ...(registeredAt && { registeredAt: registeredAt.toISOString() }),
});

/** Batch size. */
const deletionBatchSize = 100;

/** Throws `account-waiting`, for admins, while an account waits for approval: nothing of it is changed or published before. */
export function assertNotWaiting({ waiting }: Pick<Account, 'waiting'>): void {
  if (waiting)
    throw new Problem('account-waiting', {
      detail: 'That account is waiting for approval. Approve it first.',
    });
}

/** A key for accounts without a username: unique, with a character that usernames cannot contain. */
const erasedKey = (id: number): string => `:${id}`;

/** Whether the username or the identity belongs to another account; the unique indexes decide concurrent calls. */
function toConflictProblem(error: unknown, { googleId, openId }: Changes = {}): unknown {
  if (!isDuplicateKey(error)) return error;
  const code = googleId ? 'google-in-use' : openId ? 'openid-in-use' : 'username-taken';
  return new Problem(code, { cause: error });
}

function revocationOf(
  { _id, tokensValidFrom, generation = 0, suspendedUntil }: Account,
  changes: Changes,
  clock: Clock,
): Event<'token.revoked.v1'> {
  const until = changes.suspendedUntil === undefined ? suspendedUntil : changes.suspendedUntil;
  const hasSuspension = suspendedUntil || changes.suspendedUntil !== undefined;
  const next = Math.max(clock.now() + revocationMarginMs, tokensValidFrom.getTime() + 1);
  const data = {
    userId: _id,
    tokenId: null,
    issuedBefore: new Date(next).toISOString(),
    generation: generation + 1,
    expiresAt: new Date(expiryFor(next).getTime() + clockSkewMs).toISOString(),
    ...(hasSuspension && { suspendedUntil: until?.toISOString() ?? null }),
  };
  return newEvent('token.revoked.v1', data, clock);
}

/** Creates, finds and changes accounts, and publishes the events. */
export interface Accounts {
  findById(id: number): Promise<Account | null>;
  /** The snapshot: all accounts that are not waiting, with their revocations as events, in the order of ids. */
  snapshot(after: number): AsyncGenerator<ReplayRecord>;
  findByUsername(username: string): Promise<Account | null>;
  findByIdentity(field: IdentityField, identity: string): Promise<Account | null>;
  findByEmail(email: string, limit: number): Promise<Account[]>;
  /**
   * Changes an account with optimistic concurrency: `decide` is called again after a conflict, and returns undefined if there
   * is nothing to change. Throws `account-waiting`.
   */
  update(
    id: number,
    decide: (account: Account) => Changes | undefined | Promise<Changes | undefined>,
    event?: { revokeTokens?: boolean; alsoPublish?: Event[] },
  ): Promise<Account>;
  /**
   * Deletes due accounts, each with its event in one write: of several instances one succeeds, and an account whose owner
   * logs in meanwhile stays. Only the id remains until the event is published. Returns the deleted accounts.
   */
  deleteDue(): Promise<number[]>;
  /** Creates an account, and publishes it unless it waits for approval. Throws `username-taken`. */
  register(person: NewAccount): Promise<Account>;
  /**
   * Approves an account that waits for it, and publishes it. Throws `user-not-found`.
   *
   * @returns The account, and what it was waiting with; undefined if it was not waiting.
   */
  approve(id: number): Promise<{ account: Account; waited: Waiting | undefined }>;
  /** Deletes an account that waits for approval. Throws `user-not-found` and `account-not-waiting`. */
  decline(id: number): Promise<void>;
  /** Deletes accounts that waited for too long. Returns the deleted accounts. */
  deleteExpired(): Promise<number[]>;
  /** Counts the accounts that wait for approval, up to a number. */
  countWaiting(max: number): Promise<number>;
  /** Claims a username, unless it differs from the person's own only by case. */
  rename(id: number, username: string): Promise<Account>;
  /** Grants or revokes admin rights, and revokes tokens that say otherwise. */
  setAdmin(id: number, admin: boolean): Promise<Account>;
  /** Revokes all tokens of the account. */
  endSessions(id: number): Promise<void>;
}

/** Creates the store of accounts; every change of one goes through it, with its event. */
export function createAccounts({
  model,
  nextId,
  outbox,
  usernames,
  revoke,
  revocationsOf,
  clock,
}: AccountsDeps): Accounts {
  const findById = async (id: number) => model.findOne({ _id: id, deletedAt: null }).lean();

  /**
   * Deletes a waiting account as it was read. No tombstone and no reservation of its username are needed, as nobody has
   * ever seen it.
   *
   * @returns Whether it was deleted; otherwise it has changed meanwhile.
   */
  const deleteWaiting = async ({ _id, version }: Pick<Account, '_id' | 'version'>): Promise<boolean> => {
    const { deletedCount } = await model.deleteOne({ _id, version });
    if (deletedCount) await usernames.erase(_id);
    return deletedCount > 0;
  };

  const write = async (
    { _id, version }: Account,
    { googleId, openId, ...others }: Partial<Account>,
    events: Event[],
  ) => {
    const identities = { ...(googleId && { googleId }), ...(openId && { openId }) };
    const $set = { ...others, ...identities };
    // Null would be a value for the unique indexes.
    const $unset = { ...(googleId === null && { googleId: 1 }), ...(openId === null && { openId: 1 }) };
    const changes = Object.keys($unset).length ? { $set, $unset } : { $set };
    try {
      return await model
        .findOneAndUpdate({ _id, version }, withEvents(changes, events, clock), { returnDocument: 'after' })
        .lean();
    } catch (error) {
      throw toConflictProblem(error, identities);
    }
  };

  const update = async (
    id: number,
    decide: (account: Account) => Changes | undefined | Promise<Changes | undefined>,
    { revokeTokens = false, alsoPublish = [] }: { revokeTokens?: boolean; alsoPublish?: Event[] } = {},
  ): Promise<Account> => {
    for (;;) {
      const account = await findById(id);
      if (!account) throw new Problem('invalid-token');
      assertNotWaiting(account);
      const changes = await decide(account);
      if (!changes) return account;

      const version = account.version + 1;
      const events = [...alsoPublish];
      if (changes.username !== undefined || changes.admin !== undefined)
        events.push(
          newEvent('user.account-changed.v1', accountData({ ...account, ...changes, version }), clock),
        );
      const revocation = revokeTokens ? revocationOf(account, changes, clock) : undefined;
      if (revocation) events.push(revocation);

      const updated = await write(
        account,
        {
          ...changes,
          ...(changes.username !== undefined && { usernameKey: usernameKey(changes.username) }),
          ...(changes.email !== undefined && { emailKey: changes.email && emailKey(changes.email) }),
          ...(revocation?.data.issuedBefore && {
            tokensValidFrom: new Date(revocation.data.issuedBefore),
            generation: revocation.data.generation,
          }),
          version,
          changedAt: new Date(clock.now()),
        },
        events,
      );
      if (!updated) continue;
      outbox.send(id);
      if (revocation) await revoke(revocation);
      return updated;
    }
  };

  return {
    findById,

    async *snapshot(after: number) {
      const known = { _id: { $gt: after }, deletedAt: null, waiting: null };
      const all = model.find(known, { outbox: 0 }).sort({ _id: 1 });
      for await (const account of all.lean().cursor()) {
        const { _id: id } = account;
        const revoked = (await revocationsOf(id)).map((data) => newEvent('token.revoked.v1', data, clock));
        yield { id, events: [newEvent('user.registered.v1', accountData(account), clock), ...revoked] };
      }
    },

    findByUsername: async (username) =>
      model.findOne({ usernameKey: usernameKey(username), deletedAt: null }).lean(),
    findByIdentity: async (field, identity) => model.findOne(identityFields(field, identity)).lean(),
    findByEmail: async (email, limit) =>
      model
        .find({ emailKey: emailKey(email) })
        .limit(limit)
        .lean(),
    update,

    async deleteDue(): Promise<number[]> {
      const isDue = { deletesAt: { $lte: new Date(clock.now()) }, deletedAt: null };
      const found = await model.find(isDue).sort({ deletesAt: 1 }).limit(deletionBatchSize).lean();
      const deleted: number[] = [];
      for (const { _id, username, version } of found) {
        // Reserved before it is released, so that nobody can claim it in between.
        await usernames.reserve(username, _id);
        const tombstone = {
          username: '',
          usernameKey: erasedKey(_id),
          admin: false,
          version: version + 1,
          deletedAt: new Date(clock.now()),
        };
        const $unset = {
          ...{ passwordHash: 1, googleId: 1, openId: 1, passkeys: 1 },
          ...{ email: 1, emailKey: 1, deletesAt: 1 },
        };
        const { matchedCount } = await model.updateOne(
          { _id, version, ...isDue },
          withEvents({ $set: tombstone, $unset }, [newEvent('user.deleted.v1', { id: _id }, clock)], clock),
        );
        if (!matchedCount) continue;
        outbox.send(_id);
        deleted.push(_id);
      }
      return deleted;
    },

    async register(person: NewAccount): Promise<Account> {
      await usernames.assertAvailable(person.username);
      const _id = await nextId();
      await usernames.claim(person.username, _id);
      const now = new Date(clock.now());
      const fields = {
        ...person,
        _id,
        usernameKey: usernameKey(person.username),
        admin: false,
        version: 1,
        changedAt: now,
        registeredAt: now,
        tokensValidFrom: now,
      };
      const events = person.waiting ? [] : [newEvent('user.registered.v1', accountData(fields), clock)];
      try {
        await outbox.create(fields, events);
      } catch (error) {
        throw toConflictProblem(error);
      }
      return { ...fields, outbox: events };
    },

    async approve(id: number) {
      for (;;) {
        const account = await findById(id);
        if (!account) throw new Problem('user-not-found');
        if (!account.waiting) return { account, waited: undefined };
        const changes = { waiting: null, version: account.version + 1, changedAt: new Date(clock.now()) };
        const registered = newEvent('user.registered.v1', accountData({ ...account, ...changes }), clock);
        const approved = await write(account, changes, [registered]);
        if (!approved) continue;
        outbox.send(id);
        return { account: approved, waited: account.waiting };
      }
    },

    async decline(id: number): Promise<void> {
      for (;;) {
        const account = await findById(id);
        if (!account) throw new Problem('user-not-found');
        if (!account.waiting) throw new Problem('account-not-waiting');
        if (await deleteWaiting(account)) return;
      }
    },

    async deleteExpired(): Promise<number[]> {
      const isExpired = { 'waiting.until': { $lte: new Date(clock.now()) } };
      const expired = await model
        .find(isExpired, { version: 1 })
        .sort({ 'waiting.until': 1 })
        .limit(deletionBatchSize)
        .lean();
      const deleted: number[] = [];
      for (const account of expired) if (await deleteWaiting(account)) deleted.push(account._id);
      return deleted;
    },

    countWaiting: (max: number): Promise<number> =>
      model.countDocuments({ 'waiting.until': { $gt: new Date(clock.now()) } }, { limit: max }),

    rename: (id: number, username: string) =>
      update(id, async (account) => {
        if (account.username === username) return undefined;
        if (account.usernameKey !== usernameKey(username)) {
          await usernames.assertAvailable(username, id);
          await usernames.assertMayReserve(account.username, id);
          await usernames.claim(username, id);
          // Reserved before it is released, so that nobody can claim it in between.
          await usernames.reserve(account.username, id);
        }
        return { username };
      }),

    setAdmin: (id: number, admin: boolean) =>
      update(id, (account) => (account.admin === admin ? undefined : { admin }), { revokeTokens: true }),

    async endSessions(id: number): Promise<void> {
      await update(id, () => ({}), { revokeTokens: true });
    },
  };
}
