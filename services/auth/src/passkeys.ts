import type {
  CredentialAssertion,
  NewCredential,
  Passkey,
  PasskeyCreation,
  PasskeyRequest,
} from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import { limits, Problem } from '@wayquest/platform/core';
import type { Idempotency } from '@wayquest/platform/http';
import type { MailLanguage } from '@wayquest/platform/mail';
import { isDuplicateKey } from '@wayquest/platform/store';
import { type Logger, logSecurityEvent } from '@wayquest/platform/telemetry';
import type { Model } from 'mongoose';
import type { Account } from './account.model.ts';
import type { Accounts } from './accounts.ts';
import type { RequireLoginMethod } from './login-methods.ts';
import type { Mails } from './mails.ts';
import type { PasskeyChallenges, StoredPasskey } from './passkey.model.ts';
import type { OwnershipProof, Reauthentication } from './reauthentication.ts';
import type { RelyingParty } from './relying-party.ts';

/** The maximum that `too-many-passkeys` names. */
const maxPasskeys = limits.passkeys.max;

export interface PasskeysDeps {
  logger: Logger;
  model: Model<StoredPasskey>;
  accounts: Accounts;
  reauthentication: Reauthentication;
  requireLoginMethod: RequireLoginMethod;
  challenges: PasskeyChallenges;
  mails: Mails;
  clock: Clock;
}

/** Content of the challenge's cookie: the challenge, and the account that a passkey is created for. */
type ChallengeCookieData = { challenge: string; accountId?: number | undefined } | undefined;

const toPasskey = ({ _id: id, name, madeAt, usedAt }: StoredPasskey): Passkey => ({
  ...{ id, name, madeAt: madeAt.toISOString() },
  usedAt: usedAt?.toISOString() ?? null,
});

const requireFreeSlot = ({ passkeys }: Account): void => {
  if ((passkeys?.length ?? 0) >= maxPasskeys) throw new Problem('too-many-passkeys');
};

/** Context of the request that adds a passkey. */
interface AddContext {
  party: RelyingParty;
  language: MailLanguage;
  idempotency: Idempotency | undefined;
}

/** The passkeys of accounts. */
export interface Passkeys {
  list(accountId: number): Promise<Passkey[]>;
  /**
   * Returns the options for creating a passkey. Requires the password whatever the session's age; throws as
   * `reauthentication.requireRecentAuth` does.
   */
  begin(
    proof: OwnershipProof,
    party: RelyingParty,
  ): Promise<{ accountId: number; creation: PasskeyCreation }>;
  /** Throws `invalid-passkey` and `too-many-passkeys`. */
  add(
    passkey: { name: string; credential: NewCredential; accountId: number },
    ceremony: ChallengeCookieData,
    by: AddContext,
  ): Promise<Passkey>;
  /** Throws `passkey-not-found`. */
  find(id: string): Promise<StoredPasskey>;
  /** Throws `last-login-method`, and as `reauthentication.requireRecentAuth` does. */
  remove(passkey: StoredPasskey, proof: OwnershipProof, language: MailLanguage): Promise<void>;
  /** Returns the options for a login with any passkey. */
  createLogin(party: RelyingParty): Promise<PasskeyRequest>;
  /** Returns the account of a passkey that signed the browser's challenge. Throws `invalid-passkey` and `unknown-passkey`. */
  identify(
    credential: CredentialAssertion,
    ceremony: ChallengeCookieData,
    party: RelyingParty,
  ): Promise<Account>;
  /** Deletes all passkeys of an account. */
  erase(accountId: number): Promise<void>;
}

/**
 * Creates the passkeys of accounts. The account lists the valid ones, so that one write decides whether another login
 * method remains; their credentials are stored separately.
 */
export function createPasskeys({
  logger,
  model,
  accounts,
  reauthentication,
  requireLoginMethod,
  challenges,
  mails,
  clock,
}: PasskeysDeps): Passkeys {
  const of = ({ _id: accountId, passkeys }: Account) =>
    model
      .find({ accountId, _id: { $in: passkeys ?? [] } })
      .sort({ madeAt: 1 })
      .lean();

  const notify = (
    { _id: id, username, email }: Account,
    change: 'passkeyAdded' | 'passkeyRemoved',
    { name, language }: { name: string; language: MailLanguage },
  ) => {
    const event = change === 'passkeyAdded' ? 'passkey-added' : 'passkey-removed';
    logSecurityEvent(logger, { event, service: 'auth', userId: id });
    if (email) mails[change]({ id, to: email, username, language }, name);
  };

  /** Takes the browser's challenge, which is valid once. Throws `invalid-passkey`. */
  const consumeChallenge = async (ceremony: ChallengeCookieData, accountId?: number): Promise<string> => {
    if (!ceremony || ceremony.accountId !== accountId || !(await challenges.consume(ceremony.challenge)))
      throw new Problem('invalid-passkey');
    return ceremony.challenge;
  };

  return {
    async list(accountId: number): Promise<Passkey[]> {
      const account = await accounts.findById(accountId);
      if (!account) throw new Problem('invalid-token');
      return (await of(account)).map(toPasskey);
    },

    async begin(proof: OwnershipProof, party: RelyingParty) {
      const account = await reauthentication.requireRecentAuth(proof, { always: true });
      requireFreeSlot(account);
      const creation = await party.creation(account, await of(account));
      await challenges.store(creation.challenge);
      return { accountId: account._id, creation };
    },

    async add(
      { name, credential, accountId }: { name: string; credential: NewCredential; accountId: number },
      ceremony: ChallengeCookieData,
      { party, language, idempotency }: AddContext,
    ): Promise<Passkey> {
      const idempotencyKey = idempotency?.key ?? null;
      // The call that this one repeats has taken the challenge.
      const before =
        idempotencyKey && (await model.findOne({ _id: credential.id, accountId, idempotencyKey }).lean());
      if (before) return toPasskey(before);
      const verifiedCredential = await party.verifyRegistration(
        credential,
        await consumeChallenge(ceremony, accountId),
      );
      if (!verifiedCredential) throw new Problem('invalid-passkey');
      const madeAt = new Date(clock.now());
      const passkey = { ...verifiedCredential, accountId, name, madeAt, idempotencyKey };
      try {
        await model.create(passkey);
      } catch (error) {
        throw isDuplicateKey(error) ? new Problem('invalid-passkey', { cause: error }) : error;
      }
      try {
        const account = await accounts.update(accountId, (now) => {
          requireFreeSlot(now);
          return { passkeys: [...(now.passkeys ?? []), passkey._id] };
        });
        notify(account, 'passkeyAdded', { name, language });
      } catch (error) {
        await model.deleteOne({ _id: passkey._id });
        throw error;
      }
      return toPasskey(passkey);
    },

    async find(id: string): Promise<StoredPasskey> {
      const found = await model.findOne({ _id: id }).lean();
      if (!found) throw new Problem('passkey-not-found');
      return found;
    },

    async remove(
      { _id: id, name }: StoredPasskey,
      proof: OwnershipProof,
      language: MailLanguage,
    ): Promise<void> {
      const { _id } = await reauthentication.requireRecentAuth(proof, { always: true });
      const account = await accounts.update(_id, (now) => {
        if (!now.passkeys?.includes(id)) return undefined;
        const passkeys = now.passkeys.filter((other) => other !== id);
        requireLoginMethod({ ...now, passkeys });
        return { passkeys };
      });
      if ((await model.deleteOne({ _id: id })).deletedCount)
        notify(account, 'passkeyRemoved', { name, language });
    },

    async createLogin(party: RelyingParty) {
      const request = await party.request();
      await challenges.store(request.challenge);
      return request;
    },

    async identify(
      credential: CredentialAssertion,
      ceremony: ChallengeCookieData,
      party: RelyingParty,
    ): Promise<Account> {
      const challenge = await consumeChallenge(ceremony);
      const passkey = await model.findOne({ _id: credential.id }).lean();
      const loginFailed = (code: 'invalid-passkey' | 'unknown-passkey' = 'invalid-passkey') => {
        logSecurityEvent(logger, { event: 'login-failed', service: 'auth', userId: passkey?.accountId });
        return new Problem(code);
      };
      // Its id is a random number, so that this reveals nothing to somebody who does not have it.
      if (!passkey) throw loginFailed('unknown-passkey');
      const counter = await party.verifyAssertion(credential, challenge, passkey);
      if (counter === undefined) throw loginFailed();
      const account = await accounts.findById(passkey.accountId);
      if (!account?.passkeys?.includes(passkey._id)) throw loginFailed('unknown-passkey');
      const { matchedCount } = await model.updateOne(
        { _id: passkey._id, counter: passkey.counter },
        { $set: { counter, usedAt: new Date(clock.now()) } },
      );
      // If two calls have the same counter, one of them is of a cloned passkey.
      if (!matchedCount) throw loginFailed();
      return account;
    },

    async erase(accountId: number): Promise<void> {
      await model.deleteMany({ accountId });
    },
  };
}
