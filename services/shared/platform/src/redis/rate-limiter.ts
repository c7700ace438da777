import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { limits, type RateLimit } from '../core/limits.ts';
import { Problem } from '../core/problem.ts';

export interface RateLimiter {
  /**
   * Counts one, or `weight` (at most all of the limit), and returns the number counted so far. `seconds` overrides the window
   * that begins with the first one.
   *
   * @throws Problem of the limit, with the seconds to wait.
   */
  count(
    key: string,
    overrides?: { weight?: number | undefined; seconds?: number; detail?: string },
  ): Promise<number>;
  /** Uncounts one, where only failures count. */
  refund(key: string): Promise<void>;
  /** Resets the counter, after a success. */
  reset(key: string): Promise<void>;
}

type Counter = RateLimiterMemory | RateLimiterRedis;

const optionsOf = ({ name, max, seconds }: RateLimit) => ({
  keyPrefix: `limit:${name}`,
  points: max,
  duration: seconds,
});

const secondsLeft = ({ msBeforeNext }: RateLimiterRes) => Math.max(1, Math.ceil(msBeforeNext / 1_000));

const limiterOn = (counter: Counter, { problem, max, detail: defaultDetail }: RateLimit): RateLimiter => ({
  async count(key, { weight = 1, seconds: customDuration, detail = defaultDetail?.(max) } = {}) {
    try {
      return (await counter.consume(key, Math.min(weight, max), { customDuration })).consumedPoints;
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      throw new Problem(problem, { ...(detail && { detail }), retryAfterSeconds: secondsLeft(rejection) });
    }
  },
  async refund(key) {
    await counter.reward(key);
  },
  async reset(key) {
    await counter.delete(key);
  },
});

/** Counts for all instances in Redis; in memory without Redis, or while it is unavailable. */
export function createRateLimiter(limit: RateLimit, redis?: Redis): RateLimiter {
  const options = optionsOf(limit);
  const memory = new RateLimiterMemory(options);
  const shared = redis && new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter: memory });
  return limiterOn(shared ?? memory, limit);
}

/** From this share of a limit on, counts are shared with other instances at this interval. */
const shareFrom = 0.1;
const shareEveryMs = 1_000;

/**
 * Counts in memory and shares high counts through Redis once a second, so that several instances exceed a limit only briefly.
 * For limits of every call, where a round trip would cost more than the call. While Redis is unavailable each instance counts
 * alone.
 */
export function createEventualRateLimiter(limit: RateLimit, redis?: Redis): Pick<RateLimiter, 'count'> {
  const options = optionsOf(limit);
  const memory = new RateLimiterMemory(options);
  const local = limiterOn(memory, limit);
  if (!redis) return local;
  const shared = new RateLimiterRedis({ ...options, storeClient: redis });
  const unshared = new Map<string, number>();
  const share = async ([key, points]: [string, number]) => {
    try {
      await shared.consume(key, points);
    } catch (rejection) {
      // Any other error: Redis is unavailable.
      if (rejection instanceof RateLimiterRes) await memory.block(key, secondsLeft(rejection));
    }
  };
  setInterval(() => {
    const sharing = [...unshared];
    unshared.clear();
    for (const one of sharing) void share(one);
  }, shareEveryMs).unref();
  return {
    async count(key, overrides = {}) {
      const counted = await local.count(key, overrides);
      const { weight = 1 } = overrides;
      const isFirstShared = counted - weight < limit.max * shareFrom;
      if (counted >= limit.max * shareFrom)
        unshared.set(key, isFirstShared ? counted : (unshared.get(key) ?? 0) + weight);
      return counted;
    },
  };
}

/** How many of something one account may do per minute and per day. */
export interface Quota {
  perMinute: number;
  perDay: number;
}

/**
 * @param actions - The actions: 'challenges' has the limits `challengesPerMinute` and `challengesPerDay`.
 * @returns Counts an action of an account against both limits; `weight` 1 if not given. Rejects with `too-many-requests`, whose
 * detail says which of the two was exceeded.
 */
export function createQuota(
  actions: 'challenges' | 'changes' | 'completions' | 'logChanges' | 'reports',
  { perMinute, perDay }: Quota,
  redis?: Redis,
): (userId: number, weight?: number) => Promise<void> {
  const counters = [
    { ...limits[`${actions}PerMinute`], max: perMinute },
    { ...limits[`${actions}PerDay`], max: perDay },
  ].map((limit) => ({ ...limit, ...createRateLimiter(limit, redis) }));
  return async (userId, weight = 1) => {
    for (const { max, detail, count } of counters) {
      const newAccountHint = weight > 1 ? ' New accounts have lower limits.' : '';
      await count(String(userId), {
        weight,
        detail: detail(Math.max(1, Math.floor(max / weight))) + newAccountHint,
      });
    }
  };
}
