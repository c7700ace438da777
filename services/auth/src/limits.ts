import { createRateLimiter, isProblem, networkOf } from '@wayquest/platform';
import type { Redis } from 'ioredis';
import { usernameKey } from './account.model.ts';

export interface Limit {
  points: number;
  seconds: number;
}

export interface AttemptLimits {
  /** Failures at one account from one address: what one person who mistypes needs. */
  accountAndAddress: Limit;
  /** Failures at one account from anywhere; far above the first, so that no single address can lock it. */
  account: Limit;
  /** Failures from one address at any accounts; many people can be behind one. */
  address: Limit;
  /** New accounts from one address. */
  signup: Limit;
}

const quarterHour = 15 * 60;
const hour = 60 * 60;

export const defaultAttemptLimits: AttemptLimits = {
  accountAndAddress: { points: 10, seconds: quarterHour },
  account: { points: 100, seconds: hour },
  address: { points: 300, seconds: quarterHour },
  signup: { points: 500, seconds: hour },
};

export interface Attempts {
  /**
   * Tries to prove who someone is. Only wrong credentials count; past a limit it is refused before it is tried.
   * A success forgets the account's count.
   */
  prove<T>(who: { username: string; address: string }, attempt: () => Promise<T>): Promise<T>;
  /** The same where nobody is named yet: wrong ones count against the address. */
  proveUnnamed<T>(address: string, attempt: () => Promise<T>): Promise<T>;
  countSignup(address: string): Promise<void>;
}

/** Limits attempts, over all instances where there is a Redis. */
export function createAttempts(limits: AttemptLimits, redis?: Redis): Attempts {
  const limiter = (name: keyof AttemptLimits) =>
    createRateLimiter({ name: `auth-${name}`, ...limits[name], problem: 'too-many-attempts' }, redis);
  const pairs = limiter('accountAndAddress');
  const accounts = limiter('account');
  const addresses = limiter('address');
  const signups = limiter('signup');

  const proveUnnamed: Attempts['proveUnnamed'] = async (address, attempt) => {
    const network = networkOf(address);
    // Counted before the attempt, so that many at once can't slip through together.
    await addresses.count(network);
    try {
      const proven = await attempt();
      await addresses.takeBack(network);
      return proven;
    } catch (error) {
      if (!isWrong(error)) await addresses.takeBack(network);
      throw error;
    }
  };

  return {
    async prove({ username, address }, attempt) {
      const account = usernameKey(username);
      const pair = `${account} ${networkOf(address)}`;
      await pairs.count(pair);
      await accounts.count(account);
      try {
        const proven = await proveUnnamed(address, attempt);
        await Promise.all([pairs.forget(pair), accounts.forget(account)]);
        return proven;
      } catch (error) {
        if (!isWrong(error)) await Promise.all([pairs.takeBack(pair), accounts.takeBack(account)]);
        throw error;
      }
    },
    proveUnnamed,
    countSignup: (address) => signups.count(networkOf(address)),
  };
}

const isWrong = (error: unknown) =>
  isProblem(error, 'invalid-credentials') || isProblem(error, 'invalid-code');
