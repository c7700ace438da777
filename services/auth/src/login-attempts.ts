import { createHash } from 'node:crypto';
import { type Allowance, isProblem, limits, type RateLimit } from '@wayquest/platform/core';
import { ipPrefix48, ipPrefix64 } from '@wayquest/platform/http';
import { createRateLimiter, type RateLimiter } from '@wayquest/platform/redis';
import type { Redis } from 'ioredis';
import { usernameKey } from './account.model.ts';

/** An IPv6 /48 may make `sitePrefixFactor` times as many attempts as a /64. */
export interface AttemptLimits {
  /** Failures at one account from one network: enough for typing errors. */
  accountAndAddress: Allowance;
  /** Failures at one account from networks that its owner has not used. */
  account: Allowance;
  /** Failures from one network on accounts that never logged in from it; many people can share a network. */
  address: Allowance;
  /** New accounts from one network. */
  signup: Allowance;
  /** Requests for a new password from one network. */
  passwordRequests: Allowance;
  /** Links to one address, or for one account. */
  links: Allowance;
  /** For an account: seconds between attempts beyond the limit, doubled after each failure up to the maximum. */
  pause: { minSeconds: number; maxSeconds: number };
}

const sitePrefixFactor = 4;

export const defaultAttemptLimits = {
  accountAndAddress: limits.failuresPerAccountAndAddress,
  account: limits.failuresPerAccount,
  address: limits.failuresPerAddress,
  signup: limits.signups,
  passwordRequests: limits.passwordRequests,
  links: limits.mailedLinks,
  pause: { minSeconds: 5, maxSeconds: 60 },
} as const satisfies AttemptLimits;

/** Who attempts a login, and whether they have logged in from this network before. */
export interface LoginAttempt {
  username: string;
  address: string;
  isKnownNetwork: boolean;
}

export interface Attempts {
  /**
   * Verifies credentials under the limits. Only failures count; beyond a limit an attempt is rejected without verification.
   * A success resets the account's count. In a known network of the account, failures elsewhere do not count.
   */
  verify<T>(attempt: LoginAttempt, authenticate: () => Promise<T>): Promise<T>;
  /** The same without a username: failures count against the address. */
  verifyByAddress<T>(address: string, attempt: () => Promise<T>): Promise<T>;
  countSignup(address: string): Promise<void>;
  countPasswordRequest(address: string): Promise<void>;
  /** Counts a link against its account or address. */
  countLink(key: string): Promise<void>;
}

/** The counters of an attempt. */
interface CounterEntry {
  counter: Pick<RateLimiter, 'refund' | 'reset'> & { count(key: string): Promise<unknown> };
  key: string;
}

/** Limits attempts, for all instances together with Redis. */
export function createAttempts({ pause, ...overrides }: AttemptLimits, redis?: Redis): Attempts {
  const limitOf = (name: keyof typeof overrides): RateLimit => ({
    ...defaultAttemptLimits[name],
    ...overrides[name],
  });

  const limiter = (limit: RateLimit): RateLimiter => {
    const counter = createRateLimiter(limit, redis);
    return {
      count: (key, different) => counter.count(hashKey(key), different),
      refund: (key) => counter.refund(hashKey(key)),
      reset: (key) => counter.reset(hashKey(key)),
    };
  };

  /** Locks nobody out: beyond the limit one attempt at a time is allowed, after a growing pause. */
  const slowdown = (limit: RateLimit): CounterEntry['counter'] => {
    const { name, max } = limit;
    const failures = limiter({ ...limit, max: Number.MAX_SAFE_INTEGER });
    const pauses = limiter({ ...limit, name: `${name}-pause`, max: 1, seconds: pause.maxSeconds });
    return {
      async count(key) {
        const failureCount = await failures.count(key);
        if (failureCount < max) return;
        try {
          const seconds = Math.min(pause.maxSeconds, pause.minSeconds * 2 ** (failureCount - max));
          await pauses.count(key, { seconds });
        } catch (error) {
          await failures.refund(key);
          throw error;
        }
      },
      async refund(key) {
        await Promise.all([failures.refund(key), pauses.reset(key)]);
      },
      async reset(key) {
        await Promise.all([failures.reset(key), pauses.reset(key)]);
      },
    };
  };

  /** A success does not reset the count of an address that others share. */
  const perAddress = (limit: RateLimit): CounterEntry['counter'] => {
    const failures = limiter(limit);
    return { ...failures, reset: failures.refund };
  };

  /** The same for an address's /64, and for its /48. */
  const byNetwork = (
    create: (limit: RateLimit) => CounterEntry['counter'],
    limit: RateLimit,
  ): ((address: string, prefix?: string) => CounterEntry[]) => {
    const networkCounter = create(limit);
    const siteCounter = create({ ...limit, name: `${limit.name}-site`, max: limit.max * sitePrefixFactor });
    return (address, prefix = '') => {
      const site = ipPrefix48(address);
      return [
        { counter: networkCounter, key: prefix + ipPrefix64(address) },
        ...(site ? [{ counter: siteCounter, key: prefix + site }] : []),
      ];
    };
  };

  const pairCounters = byNetwork(slowdown, limitOf('accountAndAddress'));
  const accountCounters = slowdown(limitOf('account'));
  const addressCounters = byNetwork(perAddress, limitOf('address'));
  const signupCounters = byNetwork(perAddress, limitOf('signup'));
  const passwordRequestCounters = byNetwork(perAddress, limitOf('passwordRequests'));
  const links = limiter(limitOf('links'));

  /** Counted before the attempt, so that concurrent ones cannot slip through. */
  const runCounted = async <T>(counts: CounterEntry[], attempt: () => Promise<T>): Promise<T> => {
    const countedEntries: CounterEntry[] = [];
    try {
      for (const count of counts) {
        await count.counter.count(count.key);
        countedEntries.push(count);
      }
      const result = await attempt();
      await Promise.all(countedEntries.map(({ counter, key }) => counter.reset(key)));
      return result;
    } catch (error) {
      if (!isFailedAttempt(error))
        await Promise.all(countedEntries.map(({ counter, key }) => counter.refund(key)));
      throw error;
    }
  };

  return {
    verify({ username, address, isKnownNetwork }, attempt) {
      const account = usernameKey(username);
      const pairCounts = pairCounters(address, `${account} `);
      const counts = isKnownNetwork
        ? pairCounts
        : [...addressCounters(address), ...pairCounts, { counter: accountCounters, key: account }];
      return runCounted(counts, attempt);
    },
    verifyByAddress: (address, attempt) => runCounted(addressCounters(address), attempt),
    async countSignup(address) {
      for (const { counter, key } of signupCounters(address)) await counter.count(key);
    },
    async countPasswordRequest(address) {
      for (const { counter, key } of passwordRequestCounters(address)) await counter.count(key);
    },
    async countLink(key) {
      await links.count(key);
    },
  };
}

/** A counter's key, hashed: Redis gets neither names nor addresses. */
const hashKey = (key: string): string => createHash('sha256').update(key).digest('base64url');

const isFailedAttempt = (error: unknown) =>
  (
    ['invalid-credentials', 'invalid-code', 'invalid-link', 'invalid-passkey', 'unknown-passkey'] as const
  ).some((code) => isProblem(error, code));
