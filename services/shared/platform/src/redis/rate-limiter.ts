import type { ProblemCode } from '@wayquest/contracts';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../http/problem.ts';

export interface RateLimit {
  /** Names what is counted, apart from other limits. */
  name: string;
  /** How many in how many seconds. */
  points: number;
  seconds: number;
  problem: Extract<ProblemCode, 'too-many-requests' | 'too-many-attempts'>;
  /** A sentence for who meets it, better than the problem's own. */
  detail?: string;
}

export interface RateLimiter {
  /**
   * Counts one, or one that weighs more, and answers how many there are. The first one is counted for the limit's
   * seconds, or for others. Throws the limit's problem with the seconds to wait.
   */
  count(key: string, different?: { weight?: number | undefined; seconds?: number }): Promise<number>;
  /** Takes one back, where only failures are to count. */
  takeBack(key: string): Promise<void>;
  /** Forgets what was counted, after a success. */
  forget(key: string): Promise<void>;
}

/** Counts for all instances in Redis; alone, or while Redis is away, in memory. */
export function createRateLimiter(
  { name, points, seconds, problem, detail }: RateLimit,
  redis?: Redis,
): RateLimiter {
  const options = { keyPrefix: `limit:${name}`, points, duration: seconds };
  const memory = new RateLimiterMemory(options);
  const limiter = redis
    ? new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter: memory })
    : memory;
  return {
    async count(key, { weight = 1, seconds: customDuration } = {}) {
      try {
        return (await limiter.consume(key, weight, { customDuration })).consumedPoints;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        throw new Problem(problem, {
          ...(detail && { detail }),
          retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000)),
        });
      }
    },
    async takeBack(key) {
      await limiter.reward(key);
    },
    async forget(key) {
      await limiter.delete(key);
    },
  };
}
