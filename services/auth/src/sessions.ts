import { randomUUID } from 'node:crypto';
import type { ActiveSession } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { Problem } from '@wayquest/platform/core';
import { type Idempotency, idempotencyMs } from '@wayquest/platform/http';
import type { MailLanguage } from '@wayquest/platform/mail';
import { withEvents } from '@wayquest/platform/outbox';
import type { ServiceKit } from '@wayquest/platform/service';
import { upsert } from '@wayquest/platform/store';
import { logSecurityEvent, type SecurityEvent } from '@wayquest/platform/telemetry';
import { suspensionProblem } from '@wayquest/platform/tokens';
import { revocationId } from '@wayquest/platform/tokens/revocations';
import { type Account, usernameKey, type Waiting } from './account.model.ts';
import type { Accounts } from './accounts.ts';
import type { Deletions } from './deletions.ts';
import type { KnownNetworks } from './known-networks.ts';
import type { Attempts } from './login-attempts.ts';
import type { LoginCodes } from './login-codes.ts';
import type { FindPasswordlessMethods, PasswordPolicy } from './login-methods.ts';
import type { MailLinks } from './mail-links.ts';
import type { Mails } from './mails.ts';
import type { OpenSessions, StoredSession } from './open-sessions.ts';
import { assertPasswordAllowed, type Passwords } from './passwords.ts';
import { type OwnershipProof, type Reauthentication, wrongPassword } from './reauthentication.ts';
import type { Registration } from './registration.ts';
import type { Suspensions } from './suspensions.ts';
import type { Tokens } from './tokens.ts';

export interface SessionsDeps {
  kit: Pick<ServiceKit, 'logger' | 'clock' | 'revocations' | 'guard' | 'outboxes'>;
  accounts: Accounts;
  registration: Registration;
  attempts: Attempts;
  knownNetworks: KnownNetworks;
  passwords: Passwords;
  passwordPolicy: PasswordPolicy;
  codes: LoginCodes;
  tokens: Tokens;
  openSessions: OpenSessions;
  reauthentication: Reauthentication;
  links: MailLinks;
  mails: Mails;
  deletions: Deletions;
  suspensions: Suspensions;
  findPasswordlessMethods: FindPasswordlessMethods;
}

/** Client address and user agent of a login request. */
export interface ClientInfo {
  address: string;
  userAgent: string | undefined;
}

/** Called with a code for an appeal if a suspended user was authenticated without a password. */
export type StoreAppealCode = (code: string) => void;

interface Credentials {
  username: string;
  password: string;
}

interface NewCredentials extends Credentials {
  invitation?: string | undefined;
  /** Where to tell them that their account was approved. */
  email?: string | undefined;
}

/** A sign-up: its browser, the language of its page, and what its repetitions have in common. */
interface SignupContext {
  visitor: ClientInfo;
  language: MailLanguage;
  idempotency: Idempotency | undefined;
}

/** The token of a new session. */
export interface StartedSession {
  token: string;
  /** The login has canceled the deletion of the account. */
  deletionCanceled?: true | undefined;
}

/** Logins, logouts, and the sessions of accounts. */
export interface Sessions {
  /**
   * Creates an account. Throws `password-login-off`; `username-taken`, or as `registration.register` does, unless this
   * repeats the call that created it: that gets a new session. Throws `account-waiting` if the account was created and waits
   * for approval.
   */
  signup(credentials: NewCredentials, context: SignupContext): Promise<StartedSession>;
  /**
   * Responds the same in the same time, whether the username is unknown or the password wrong. Throws `password-login-off`
   * only for the right password, so that nobody else learns who the admins are, and `account-waiting` likewise.
   */
  login(credentials: Credentials, visitor: ClientInfo): Promise<StartedSession>;
  /** Appeals with the password, since a suspended user has no session. Throws `nothing-to-appeal`. */
  appeal(appeal: Credentials & { comment: string }, visitor: ClientInfo): Promise<void>;
  /** The same with the code of a login without a password. Throws `invalid-code` and `nothing-to-appeal`. */
  appealWithCode(code: string | undefined, comment: string, visitor: ClientInfo): Promise<void>;
  logout(session: { jti: string; sub: number; exp: number }): Promise<void>;
  /** Lists the sessions of an account, including the current one. */
  list(session: { sub: number; jti: string }): Promise<ActiveSession[]>;
  /** Throws `session-not-found`. */
  find(id: string): Promise<StoredSession>;
  end(storedSession: StoredSession): Promise<void>;
  endAll: (id: number) => Promise<void>;
  /** Sets a new or first password, and revokes all older tokens of the account. Throws `password-login-off`. */
  changePassword(
    proof: OwnershipProof,
    newPassword: string,
    visitor: ClientInfo,
    language: MailLanguage,
  ): Promise<StartedSession>;
  /** Logs in an account that is identified without a username; failures count against the address. */
  loginAs(
    identify: () => Promise<Account>,
    visitor: ClientInfo,
    storeAppealCode: StoreAppealCode,
  ): Promise<StartedSession>;
  /**
   * Exchanges the one-time code of a sign-in at another site for a token, in the browser that has the cookie it is bound to.
   * So a link with a code logs nobody into another account.
   */
  exchangeCode(
    options: { code: string; binding: string | undefined },
    visitor: ClientInfo,
    storeAppealCode: StoreAppealCode,
  ): Promise<StartedSession>;
}

/** Creates sign-up, login by each method, and logout. */
export function createSessions({
  kit,
  accounts,
  registration,
  attempts,
  knownNetworks,
  passwords,
  passwordPolicy,
  codes,
  tokens,
  openSessions,
  reauthentication,
  links,
  mails,
  deletions,
  suspensions,
  findPasswordlessMethods,
}: SessionsDeps): Sessions {
  const { clock } = kit;
  const outbox = kit.outboxes.forModel(kit.revocations.model);

  const isRecent = ({ registeredAt }: Pick<Account, 'registeredAt'>): boolean =>
    !!registeredAt && registeredAt.getTime() > clock.now() - idempotencyMs;

  const logEvent = (event: SecurityEvent['event'], userId: number | undefined) =>
    logSecurityEvent(kit.logger, { event, service: 'auth', userId });

  /** Issues a token for an account as it was read at a time. */
  const openSession = async ({
    account,
    visitor: { address, userAgent },
    readAt,
  }: {
    account: Account;
    visitor: ClientInfo;
    readAt: number;
  }) => {
    if (account.waiting) throw new Problem('account-waiting');
    const suspension = suspensionProblem(account.suspendedUntil, clock.now());
    if (suspension) throw suspension;
    if (account.deletesAt) await deletions.cancel(account);
    // Of the account as it was read: a password that was changed since ends this session, too.
    const issued = tokens.issue(account, readAt);
    await Promise.all([
      knownNetworks.remember(account, address),
      openSessions.add(account._id, issued, userAgent),
    ]);
    return { token: issued.token, ...(account.deletesAt && { deletionCanceled: true as const }) };
  };

  const loginAs = (identify: () => Promise<Account>, visitor: ClientInfo, storeAppealCode: StoreAppealCode) =>
    attempts.verifyByAddress(visitor.address, async () => {
      const readAt = clock.now();
      const account = await identify();
      if (suspensionProblem(account.suspendedUntil, clock.now()))
        storeAppealCode(await codes.createForAppeal(account._id));
      return openSession({ account, visitor, readAt });
    });

  /** Revokes a token: in this service immediately, elsewhere by event. */
  const end = async ({ id: tokenId, userId, expiresAt }: { id: string; userId: number; expiresAt: Date }) => {
    const data = { userId, tokenId, issuedBefore: null, expiresAt: expiresAt.toISOString() };
    const events = [newEvent('token.revoked.v1', data, clock)];
    const _id = revocationId(data);
    await upsert(kit.revocations.model, { _id }, withEvents({ $set: { userId, expiresAt } }, events, clock));
    kit.guard.invalidate(data);
    outbox.send(_id);
    await openSessions.remove(tokenId);
  };

  return {
    async signup(
      { username, password, invitation, email }: NewCredentials,
      { visitor, language, idempotency }: SignupContext,
    ) {
      passwordPolicy.assertAllowed();
      assertPasswordAllowed(password, { username, field: 'password' });
      await attempts.countSignup(visitor.address);
      const register = async (waiting?: Waiting) => {
        // The unique index decides; this check avoids hashing needlessly.
        if (await accounts.findByUsername(username)) throw new Problem('username-taken');
        const passwordHash = await passwords.hash(password);
        return accounts.register({
          username,
          passwordHash,
          ...(idempotency && { idempotencyKey: idempotency.key }),
          ...(waiting && { waiting }),
        });
      };
      /** Whatever the reason: the door may have been closed since, or the invitation used up. */
      const findRepeated = async (error: unknown) => {
        if (!idempotency || !(error instanceof Problem)) throw error;
        const existing = await accounts.findByUsername(username);
        const isSame = existing?.idempotencyKey === idempotency.key && isRecent(existing);
        if (!isSame || !(await passwords.matches(existing.passwordHash, password))) throw error;
        return existing;
      };
      // The client chooses its key, so it cannot stand for several accounts.
      const id = `${idempotency?.key ?? randomUUID()} ${usernameKey(username)}`;
      const account = await registration
        .register({ invitation, id, email, language }, (waiting) => register(waiting).catch(findRepeated))
        .catch(findRepeated);
      return openSession({ account, visitor, readAt: clock.now() });
    },

    async login({ username, password }: Credentials, visitor: ClientInfo) {
      const { address } = visitor;
      const readAt = clock.now();
      const account = await accounts.findByUsername(username);
      const who = { username, address, isKnownNetwork: await knownNetworks.has(account, address) };
      return attempts.verify(who, async () => {
        const isCorrect = await passwords.matches(account?.passwordHash, password);
        if (!account || !isCorrect) {
          logEvent('login-failed', account?._id);
          throw new Problem('invalid-credentials');
        }
        passwordPolicy.assertAllowed(account);
        return openSession({ account, visitor, readAt });
      });
    },

    async appeal(
      { username, password, comment }: Credentials & { comment: string },
      { address }: ClientInfo,
    ) {
      const account = await accounts.findByUsername(username);
      const who = { username, address, isKnownNetwork: await knownNetworks.has(account, address) };
      await attempts.verify(who, async () => {
        const isCorrect = await passwords.matches(account?.passwordHash, password);
        if (!account || !isCorrect) {
          logEvent('login-failed', account?._id);
          throw new Problem('invalid-credentials');
        }
        // It is not suspended, and cannot be changed.
        if (account.waiting) throw new Problem('nothing-to-appeal');
        await suspensions.appeal(account, comment);
      });
    },

    appealWithCode: (code: string | undefined, comment: string, { address }: ClientInfo) =>
      attempts.verifyByAddress(address, async () => {
        const _id = code === undefined ? undefined : await codes.consumeForAppeal(code);
        if (_id === undefined) throw new Problem('invalid-code');
        await suspensions.appeal({ _id }, comment);
      }),

    logout: ({ jti, sub, exp }: { jti: string; sub: number; exp: number }) =>
      end({ id: jti, userId: sub, expiresAt: new Date(exp * 1_000) }),

    async list({ sub, jti }: { sub: number; jti: string }): Promise<ActiveSession[]> {
      const account = await accounts.findById(sub);
      if (!account) throw new Problem('invalid-token');
      return openSessions.listFor(account, jti);
    },

    async find(id: string): Promise<StoredSession> {
      const found = await openSessions.find(id);
      if (!found) throw new Problem('session-not-found');
      return found;
    },

    end: ({ _id: id, userId, expiresAt }: StoredSession) => end({ id, userId, expiresAt }),

    endAll: accounts.endSessions,

    async changePassword(
      proof: OwnershipProof,
      newPassword: string,
      visitor: ClientInfo,
      language: MailLanguage,
    ) {
      const verifiedAccount = await reauthentication.requireRecentAuth(proof, { always: true });
      const { _id: id, username, email } = verifiedAccount;
      passwordPolicy.assertAllowed(verifiedAccount);
      assertPasswordAllowed(newPassword, { username, field: 'newPassword' });
      const passwordHash = await passwords.hash(newPassword);
      const changed = await accounts.update(
        id,
        (account) => {
          // The password was changed concurrently: the verified one is no longer valid.
          if (account.passwordHash !== verifiedAccount.passwordHash) throw wrongPassword();
          return { passwordHash };
        },
        { revokeTokens: true },
      );
      await links.erase(id);
      logEvent('password-changed', id);
      if (email)
        mails.passwordChanged({ id, to: email, username, language }, await findPasswordlessMethods(changed));
      return openSession({ account: changed, visitor, readAt: clock.now() });
    },

    loginAs,

    exchangeCode: (
      { code, binding }: { code: string; binding: string | undefined },
      visitor: ClientInfo,
      storeAppealCode: StoreAppealCode,
    ) =>
      loginAs(
        async () => {
          const accountId = binding === undefined ? undefined : await codes.consume(code, binding);
          const account = accountId === undefined ? null : await accounts.findById(accountId);
          if (!account) throw new Problem('invalid-code');
          return account;
        },
        visitor,
        storeAppealCode,
      ),
  };
}
