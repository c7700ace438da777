import { createHash } from 'node:crypto';
import { isProblem } from '@wayquest/platform/core';
import { ipPrefix48, ipPrefix64 } from '@wayquest/platform/http';
import { createRateLimiter, type RateLimiter } from '@wayquest/platform/redis';
import type { Redis } from 'ioredis';
import { usernameKey } from './account.model.ts';

export interface Limit {
  points: number;
  seconds: number;
}

/** From an IPv6 site, a network of 48 bits, `widerBy` times as many as from a network of 64. */
export interface AttemptLimits {
  /** Failures at one account from one network: what one person who mistypes needs. */
  accountAndAddress: Limit;
  /** Failures at one account from wherever its owner has not been. */
  account: Limit;
  /** Failures from one network at any accounts that are not known there; many people can be behind one. */
  address: Limit;
  /** New accounts from one network. */
  signup: Limit;
  /** Links for a new password that are asked for from one network. */
  forgotten: Limit;
  /** Links to one address, or of one account. */
  links: Limit;
  /** Of an account: seconds between attempts past the limit, twice as many after each failure, up to the longest. */
  pause: { shortest: number; longest: number };
}

const quarterHour = 15 * 60;
const hour = 60 * 60;
const widerBy = 4;

export const defaultAttemptLimits: AttemptLimits = {
  accountAndAddress: { points: 10, seconds: quarterHour },
  account: { points: 30, seconds: hour },
  address: { points: 300, seconds: quarterHour },
  signup: { points: 500, seconds: hour },
  forgotten: { points: 30, seconds: hour },
  links: { points: 5, seconds: hour },
  pause: { shortest: 5, longest: 60 },
};

/** Who tries, and whether they have been let in before from where they are. */
export interface LoginAttempt {
  username: string;
  address: string;
  known: boolean;
}

export interface Attempts {
  /**
   * Tries to prove who someone is. Only wrong credentials count; past a limit it is refused before it is tried.
   * A success forgets the account's count. Where the account is known, what others do elsewhere does not count.
   */
  prove<T>(who: LoginAttempt, attempt: () => Promise<T>): Promise<T>;
  /** The same where nobody is named yet: wrong ones count against the address. */
  proveUnnamed<T>(address: string, attempt: () => Promise<T>): Promise<T>;
  countSignup(address: string): Promise<void>;
  countForgotten(address: string): Promise<void>;
  /** Counts a link for whom it is: an account, or an address. */
  countLink(whose: string): Promise<void>;
}

/** What an attempt counts against. */
interface Count {
  counter: Pick<RateLimiter, 'takeBack' | 'forget'> & { count(key: string): Promise<unknown> };
  key: string;
}

/** Limits attempts, over all instances where there is a Redis. */
export function createAttempts({ pause, ...limits }: AttemptLimits, redis?: Redis): Attempts {
  const limiter = (name: string, limit: Limit): RateLimiter => {
    const counter = createRateLimiter(
      { name: `auth-${name}`, ...limit, problem: 'too-many-attempts' },
      redis,
    );
    return {
      count: (key, different) => counter.count(hashed(key), different),
      takeBack: (key) => counter.takeBack(hashed(key)),
      forget: (key) => counter.forget(hashed(key)),
    };
  };

  /** Locks nobody out: past the limit one attempt at a time is let through, after a growing pause. */
  const slowdown = (name: string, { points, seconds }: Limit): Count['counter'] => {
    const failures = limiter(name, { points: Number.MAX_SAFE_INTEGER, seconds });
    const pauses = limiter(`${name}-pause`, { points: 1, seconds: pause.longest });
    return {
      async count(key) {
        const failed = await failures.count(key);
        if (failed < points) return;
        try {
          const seconds = Math.min(pause.longest, pause.shortest * 2 ** (failed - points));
          await pauses.count(key, { seconds });
        } catch (refusal) {
          await failures.takeBack(key);
          throw refusal;
        }
      },
      async takeBack(key) {
        await Promise.all([failures.takeBack(key), pauses.forget(key)]);
      },
      async forget(key) {
        await Promise.all([failures.forget(key), pauses.forget(key)]);
      },
    };
  };

  /** A success of one behind an address says nothing of the others there. */
  const perAddress = (name: string, limit: Limit): Count['counter'] => {
    const failures = limiter(name, limit);
    return { ...failures, forget: failures.takeBack };
  };

  /** The same for an address's network, and for the site around it. */
  const byNetwork = (
    create: (name: string, limit: Limit) => Count['counter'],
    name: keyof typeof limits,
  ): ((address: string, prefix?: string) => Count[]) => {
    const { points, seconds } = limits[name];
    const ofNetwork = create(name, { points, seconds });
    const ofSite = create(`${name}-site`, { points: points * widerBy, seconds });
    return (address, prefix = '') => {
      const site = ipPrefix48(address);
      return [
        { counter: ofNetwork, key: prefix + ipPrefix64(address) },
        ...(site ? [{ counter: ofSite, key: prefix + site }] : []),
      ];
    };
  };

  const pairs = byNetwork(slowdown, 'accountAndAddress');
  const accounts = slowdown('account', limits.account);
  const addresses = byNetwork(perAddress, 'address');
  const signups = byNetwork(perAddress, 'signup');
  const forgotten = byNetwork(perAddress, 'forgotten');
  const links = limiter('links', limits.links);

  /** Counted before the attempt, so that many at once can't slip through together. */
  const counted = async <T>(counts: Count[], attempt: () => Promise<T>): Promise<T> => {
    const made: Count[] = [];
    try {
      for (const count of counts) {
        await count.counter.count(count.key);
        made.push(count);
      }
      const proven = await attempt();
      await Promise.all(made.map(({ counter, key }) => counter.forget(key)));
      return proven;
    } catch (error) {
      if (!isWrong(error)) await Promise.all(made.map(({ counter, key }) => counter.takeBack(key)));
      throw error;
    }
  };

  return {
    prove({ username, address, known }, attempt) {
      const account = usernameKey(username);
      const here = pairs(address, `${account} `);
      const counts = known ? here : [...addresses(address), ...here, { counter: accounts, key: account }];
      return counted(counts, attempt);
    },
    proveUnnamed: (address, attempt) => counted(addresses(address), attempt),
    async countSignup(address) {
      for (const { counter, key } of signups(address)) await counter.count(key);
    },
    async countForgotten(address) {
      for (const { counter, key } of forgotten(address)) await counter.count(key);
    },
    async countLink(whose) {
      await links.count(whose);
    },
  };
}

/** Whom a count is of: Redis is told neither names nor addresses. */
const hashed = (key: string): string => createHash('sha256').update(key).digest('base64url');

const isWrong = (error: unknown) =>
  (['invalid-credentials', 'invalid-code', 'invalid-link', 'invalid-passkey'] as const).some((code) =>
    isProblem(error, code),
  );
