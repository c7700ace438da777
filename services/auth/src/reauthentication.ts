import type { TokenClaims } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import { Problem } from '@wayquest/platform/core';
import { type Logger, logSecurityEvent } from '@wayquest/platform/telemetry';
import type { Account } from './account.model.ts';
import type { Accounts } from './accounts.ts';
import type { KnownNetworks } from './known-networks.ts';
import type { Attempts } from './login-attempts.ts';
import type { PasswordPolicy } from './login-methods.ts';
import type { Passwords } from './passwords.ts';

/** A session is fresh for this long after the login (OWASP re-authentication). A token dated in the future is not. */
const freshMs = 15 * 60 * 1_000;

export interface OwnershipProof {
  claims: TokenClaims;
  address: string;
  currentPassword: string | undefined;
}

export const wrongPassword = () =>
  new Problem('invalid-credentials', { detail: 'That is not your current password.' });

/** Re-authentication before changes of credentials, so that nobody else at an open browser can take over an account. */
export interface Reauthentication {
  /**
   * Returns the caller's account if the session is fresh or the current password is right. An account without a password
   * needs a fresh session.
   *
   * @param options.always - Require the password of an account that has one even in a fresh session.
   * @throws Problem `password-required`, `reauthentication-required`, `invalid-credentials` or `too-many-attempts`.
   */
  requireRecentAuth(proof: OwnershipProof, options?: { always?: boolean | undefined }): Promise<Account>;
}

/**
 * Creates the check that whoever holds a session is still the account's owner, before a change that could take it over.
 */
export function createReauthentication({
  logger,
  accounts,
  attempts,
  knownNetworks,
  passwords,
  passwordPolicy,
  clock,
}: {
  logger: Logger;
  accounts: Accounts;
  attempts: Attempts;
  knownNetworks: KnownNetworks;
  passwords: Passwords;
  passwordPolicy: PasswordPolicy;
  clock: Clock;
}): Reauthentication {
  const isFresh = ({ iat }: TokenClaims) => Math.abs(clock.now() - iat * 1_000) < freshMs;

  const verify = async (account: Account, currentPassword: string, address: string) => {
    const { _id: userId, username, passwordHash } = account;
    const who = { username, address, isKnownNetwork: await knownNetworks.has(account, address) };
    await attempts.verify(who, async () => {
      if (await passwords.matches(passwordHash, currentPassword)) return;
      logSecurityEvent(logger, { event: 'login-failed', service: 'auth', userId });
      throw wrongPassword();
    });
  };

  return {
    async requireRecentAuth(
      { claims, address, currentPassword }: OwnershipProof,
      { always = false } = {},
    ): Promise<Account> {
      const account = await accounts.findById(claims.sub);
      if (!account) throw new Problem('invalid-token');
      const hasPassword = passwordPolicy.hasPassword(account);
      if (hasPassword && currentPassword !== undefined) await verify(account, currentPassword, address);
      else if (hasPassword && (always || !isFresh(claims))) throw new Problem('password-required');
      else if (!isFresh(claims)) throw new Problem('reauthentication-required');
      return account;
    },
  };
}
