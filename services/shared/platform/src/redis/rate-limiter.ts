import type { ProblemCode } from '@wayquest/contracts';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../core/problem.ts';

export interface RateLimit {
  /** Names what is counted, apart from other limits. */
  name: string;
  /** How many in how many seconds. */
  points: number;
  seconds: number;
  problem: Extract<ProblemCode, 'too-many-requests' | 'too-many-attempts' | 'enough-for-today'>;
  /** A sentence for who meets it, better than the problem's own. */
  detail?: string;
}

export interface RateLimiter {
  /**
   * Counts one, or one that weighs more, though never more than there is, and answers how many there are. The first one is
   * counted for the limit's seconds, or for others. Throws the limit's problem with the seconds to wait.
   */
  count(
    key: string,
    different?: { weight?: number | undefined; seconds?: number; detail?: string },
  ): Promise<number>;
  /** Takes one back, where only failures are to count. */
  takeBack(key: string): Promise<void>;
  /** Forgets what was counted, after a success. */
  forget(key: string): Promise<void>;
}

type Counter = RateLimiterMemory | RateLimiterRedis;

const optionsOf = ({ name, points, seconds }: RateLimit) => ({
  keyPrefix: `limit:${name}`,
  points,
  duration: seconds,
});

const secondsLeft = ({ msBeforeNext }: RateLimiterRes) => Math.max(1, Math.ceil(msBeforeNext / 1_000));

const limiterOn = (counter: Counter, { problem, points, detail: usual }: RateLimit): RateLimiter => ({
  async count(key, { weight = 1, seconds: customDuration, detail = usual } = {}) {
    try {
      return (await counter.consume(key, Math.min(weight, points), { customDuration })).consumedPoints;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new Problem(problem, { ...(detail && { detail }), retryAfterSeconds: secondsLeft(refusal) });
    }
  },
  async takeBack(key) {
    await counter.reward(key);
  },
  async forget(key) {
    await counter.delete(key);
  },
});

/** Counts for all instances in Redis; alone, or while Redis is away, in memory. */
export function createRateLimiter(limit: RateLimit, redis?: Redis): RateLimiter {
  const options = optionsOf(limit);
  const memory = new RateLimiterMemory(options);
  const together =
    redis && new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter: memory });
  return limiterOn(together ?? memory, limit);
}

/** From this part of a limit on the other instances are told, so often. */
const much = 0.1;
const tellEveryMs = 1_000;

/**
 * Counts at once in memory, and what those ask for who ask for much in Redis, once a second, so that no limit is a multiple
 * for long where there are several instances: for what is counted with every call, where a round trip would cost more than
 * the call. While Redis is away each instance counts alone.
 */
export function createEventualRateLimiter(limit: RateLimit, redis?: Redis): Pick<RateLimiter, 'count'> {
  const options = optionsOf(limit);
  const memory = new RateLimiterMemory(options);
  const alone = limiterOn(memory, limit);
  if (!redis) return alone;
  const together = new RateLimiterRedis({ ...options, storeClient: redis });
  const untold = new Map<string, number>();
  const tell = async ([key, points]: [string, number]) => {
    try {
      await together.consume(key, points);
    } catch (refusal) {
      // Otherwise Redis is away.
      if (refusal instanceof RateLimiterRes) await memory.block(key, secondsLeft(refusal));
    }
  };
  setInterval(() => {
    const telling = [...untold];
    untold.clear();
    for (const one of telling) void tell(one);
  }, tellEveryMs).unref();
  return {
    async count(key, different = {}) {
      const counted = await alone.count(key, different);
      const { weight = 1 } = different;
      const begins = counted - weight < limit.points * much;
      if (counted >= limit.points * much) untold.set(key, begins ? counted : (untold.get(key) ?? 0) + weight);
      return counted;
    },
  };
}
