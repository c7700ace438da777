import type { TokenClaims } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import { type Logger, logSecurityEvent } from '@wayquest/platform/telemetry';
import type { Account } from './account.model.ts';
import type { Accounts } from './accounts.ts';
import type { KnownNetworks } from './known-networks.ts';
import type { Attempts } from './limits.ts';
import type { Passwords } from './passwords.ts';

/** Who logged in so lately is not somebody else at a browser that was left open; a date in the future says nothing. */
const youngMs = 15 * 60 * 1_000;

const isYoung = ({ iat }: TokenClaims) => Math.abs(Date.now() - iat * 1_000) < youngMs;

export interface Claim {
  claims: TokenClaims;
  address: string;
  currentPassword: string | undefined;
}

export const wrongPassword = () =>
  new Problem('invalid-credentials', { detail: 'That is not your current password.' });

export type Owners = ReturnType<typeof createOwners>;

/** Makes sure that it is an account's owner who changes what it is got into by. */
export function createOwners({
  logger,
  accounts,
  attempts,
  known,
  passwords,
}: {
  logger: Logger;
  accounts: Accounts;
  attempts: Attempts;
  known: KnownNetworks;
  passwords: Passwords;
}) {
  const prove = async (account: Account, currentPassword: string, address: string) => {
    const { _id: userId, username, passwordHash } = account;
    const who = { username, address, known: await known.has(account, address) };
    await attempts.prove(who, async () => {
      if (await passwords.matches(passwordHash, currentPassword)) return;
      logSecurityEvent(logger, { event: 'login-failed', service: 'auth', userId });
      throw wrongPassword();
    });
  };

  return {
    /**
     * The account of a session that is young, or shows the account's password; `always` asks for it whatever the
     * session's age. An account without any needs a young session. Throws `password-needed`, `login-again`,
     * `invalid-credentials` and `too-many-attempts`.
     */
    async require({ claims, address, currentPassword }: Claim, { always = false } = {}): Promise<Account> {
      const account = await accounts.findById(claims.sub);
      if (!account) throw new Problem('invalid-token');
      if (account.passwordHash && currentPassword !== undefined)
        await prove(account, currentPassword, address);
      else if (account.passwordHash && (always || !isYoung(claims))) throw new Problem('password-needed');
      else if (!isYoung(claims)) throw new Problem('login-again');
      return account;
    },
  };
}
