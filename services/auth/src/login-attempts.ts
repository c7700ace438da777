import { createHash } from 'node:crypto';
import { type Allowance, isProblem, limits, type RateLimit } from '@wayquest/platform/core';
import { ipPrefix48, ipPrefix64 } from '@wayquest/platform/http';
import { createRateLimiter, type RateLimiter } from '@wayquest/platform/redis';
import type { Redis } from 'ioredis';
import { usernameKey } from './account.model.ts';

/** An IPv6 /48 may make `widerBy` times as many attempts as a /64. */
export interface AttemptLimits {
  /** Failures at one account from one network: enough for typing errors. */
  accountAndAddress: Allowance;
  /** Failures at one account from networks that its owner has not used. */
  account: Allowance;
  /** Failures from one network at any accounts that are not known there; many people can be behind one. */
  address: Allowance;
  /** New accounts from one network. */
  signup: Allowance;
  /** Requests for a new password from one network. */
  forgotten: Allowance;
  /** Links to one address, or for one account. */
  links: Allowance;
  /** For an account: seconds between attempts beyond the limit, doubled after each failure up to the maximum. */
  pause: { shortest: number; longest: number };
}

const widerBy = 4;

export const defaultAttemptLimits = {
  accountAndAddress: limits.failuresPerAccountAndAddress,
  account: limits.failuresPerAccount,
  address: limits.failuresPerAddress,
  signup: limits.signups,
  forgotten: limits.passwordRequests,
  links: limits.mailedLinks,
  pause: { shortest: 5, longest: 60 },
} as const satisfies AttemptLimits;

/** Who attempts a login, and whether they have logged in from this network before. */
export interface LoginAttempt {
  username: string;
  address: string;
  known: boolean;
}

export interface Attempts {
  /**
   * Verifies credentials under the limits. Only failures count; beyond a limit an attempt is rejected without verification.
   * A success resets the account's count. In a known network of the account, failures elsewhere do not count.
   */
  verify<T>(who: LoginAttempt, attempt: () => Promise<T>): Promise<T>;
  /** The same without a username: failures count against the address. */
  verifyUnnamed<T>(address: string, attempt: () => Promise<T>): Promise<T>;
  countSignup(address: string): Promise<void>;
  countPasswordRequest(address: string): Promise<void>;
  /** Counts a link against its account or address. */
  countLink(key: string): Promise<void>;
}

/** The counters of an attempt. */
interface Count {
  counter: Pick<RateLimiter, 'refund' | 'reset'> & { count(key: string): Promise<unknown> };
  key: string;
}

/** Limits attempts, for all instances together with Redis. */
export function createAttempts({ pause, ...given }: AttemptLimits, redis?: Redis): Attempts {
  const limitOf = (name: keyof typeof given): RateLimit => ({
    ...defaultAttemptLimits[name],
    ...given[name],
  });

  const limiter = (limit: RateLimit): RateLimiter => {
    const counter = createRateLimiter(limit, redis);
    return {
      count: (key, different) => counter.count(hashed(key), different),
      refund: (key) => counter.refund(hashed(key)),
      reset: (key) => counter.reset(hashed(key)),
    };
  };

  /** Locks nobody out: beyond the limit one attempt at a time is allowed, after a growing pause. */
  const slowdown = (limit: RateLimit): Count['counter'] => {
    const { name, max } = limit;
    const failures = limiter({ ...limit, max: Number.MAX_SAFE_INTEGER });
    const pauses = limiter({ ...limit, name: `${name}-pause`, max: 1, seconds: pause.longest });
    return {
      async count(key) {
        const failed = await failures.count(key);
        if (failed < max) return;
        try {
          const seconds = Math.min(pause.longest, pause.shortest * 2 ** (failed - max));
          await pauses.count(key, { seconds });
        } catch (refusal) {
          await failures.refund(key);
          throw refusal;
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
  const perAddress = (limit: RateLimit): Count['counter'] => {
    const failures = limiter(limit);
    return { ...failures, reset: failures.refund };
  };

  /** The same for an address's /64, and for its /48. */
  const byNetwork = (
    create: (limit: RateLimit) => Count['counter'],
    limit: RateLimit,
  ): ((address: string, prefix?: string) => Count[]) => {
    const ofNetwork = create(limit);
    const ofSite = create({ ...limit, name: `${limit.name}-site`, max: limit.max * widerBy });
    return (address, prefix = '') => {
      const site = ipPrefix48(address);
      return [
        { counter: ofNetwork, key: prefix + ipPrefix64(address) },
        ...(site ? [{ counter: ofSite, key: prefix + site }] : []),
      ];
    };
  };

  const pairs = byNetwork(slowdown, limitOf('accountAndAddress'));
  const accounts = slowdown(limitOf('account'));
  const addresses = byNetwork(perAddress, limitOf('address'));
  const signups = byNetwork(perAddress, limitOf('signup'));
  const forgotten = byNetwork(perAddress, limitOf('forgotten'));
  const links = limiter(limitOf('links'));

  /** Counted before the attempt, so that concurrent ones cannot slip through. */
  const counted = async <T>(counts: Count[], attempt: () => Promise<T>): Promise<T> => {
    const made: Count[] = [];
    try {
      for (const count of counts) {
        await count.counter.count(count.key);
        made.push(count);
      }
      const proven = await attempt();
      await Promise.all(made.map(({ counter, key }) => counter.reset(key)));
      return proven;
    } catch (error) {
      if (!isWrong(error)) await Promise.all(made.map(({ counter, key }) => counter.refund(key)));
      throw error;
    }
  };

  return {
    verify({ username, address, known }, attempt) {
      const account = usernameKey(username);
      const here = pairs(address, `${account} `);
      const counts = known ? here : [...addresses(address), ...here, { counter: accounts, key: account }];
      return counted(counts, attempt);
    },
    verifyUnnamed: (address, attempt) => counted(addresses(address), attempt),
    async countSignup(address) {
      for (const { counter, key } of signups(address)) await counter.count(key);
    },
    async countPasswordRequest(address) {
      for (const { counter, key } of forgotten(address)) await counter.count(key);
    },
    async countLink(key) {
      await links.count(key);
    },
  };
}

/** A counter's key, hashed: Redis gets neither names nor addresses. */
const hashed = (key: string): string => createHash('sha256').update(key).digest('base64url');

const isWrong = (error: unknown) =>
  (['invalid-credentials', 'invalid-code', 'invalid-link', 'invalid-passkey'] as const).some((code) =>
    isProblem(error, code),
  );
