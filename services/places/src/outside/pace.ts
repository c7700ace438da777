import type { connectRedis } from '@wayquest/platform/redis';
import { RateLimiterMemory, RateLimiterQueue, RateLimiterRedis } from 'rate-limiter-flexible';

/** A person waits for so many others at most; then they are told that it can't be done now. */
const mostWaiting = 4;

/** Lets requests to one server through at the pace it allows. */
export interface Pace {
  /** Waits for one's turn. Rejects when too many wait already, and when the pace cannot be kept. */
  turn(): Promise<unknown>;
  /** The same for work that nobody waits for. */
  turnOfWork(): Promise<unknown>;
}

/**
 * So many requests a second, by all instances together where there is Redis. While Redis is away there are none: each
 * instance by itself would be too many.
 */
export function createPace(
  name: string,
  perSecond: number,
  redis: ReturnType<typeof connectRedis> | undefined,
): Pace {
  const options = { keyPrefix: `pace:${name}`, points: perSecond, duration: 1 };
  const limiter = redis
    ? new RateLimiterRedis({ ...options, storeClient: redis })
    : new RateLimiterMemory(options);
  const people = new RateLimiterQueue(limiter, { maxQueueSize: mostWaiting });
  const work = new RateLimiterQueue(limiter);
  return {
    turn: () => people.removeTokens(1),
    turnOfWork: () => work.removeTokens(1),
  };
}
