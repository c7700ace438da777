import { limits } from '@wayquest/platform/core';
import type { Redis } from '@wayquest/platform/redis';
import { RateLimiterMemory, RateLimiterQueue, RateLimiterRedis } from 'rate-limiter-flexible';

/** Limits the rate of requests to one server. */
export interface Pace {
  /** Waits for a turn. Rejects if too many wait already, and if the rate cannot be enforced. */
  turn(): Promise<unknown>;
  /** The same for background work, in turns between accounts. */
  turnOfWork(account: number): Promise<void>;
}

interface Waiting {
  go(): void;
  giveUp(reason: unknown): void;
}

/** Each account has a queue of its own. Rejects if it is too long: events are retried later. */
function createLines(next: () => Promise<unknown>): (account: number) => Promise<void> {
  const lines = new Map<number, Waiting[]>();

  const takeFirst = (): Waiting | undefined => {
    const [first] = lines;
    if (!first) return undefined;
    const [account, [waiting, ...others]] = first;
    lines.delete(account);
    if (others.length) lines.set(account, others);
    return waiting;
  };

  const serve = async (): Promise<void> => {
    while (lines.size) {
      try {
        await next();
        takeFirst()?.go();
      } catch (error) {
        takeFirst()?.giveUp(error);
      }
    }
  };

  return (account) =>
    new Promise((go, giveUp) => {
      const line = lines.get(account) ?? [];
      if (line.length === limits.placeWork.max) return giveUp(new Error('too much of this account waits'));
      const isIdle = lines.size === 0;
      lines.set(account, [...line, { go, giveUp }]);
      if (isIdle) void serve();
    });
}

/**
 * The rate in requests per second, for all instances together with Redis. While Redis is unavailable there are none: each
 * instance by itself would be too many.
 */
export function createPace(name: string, perSecond: number, redis: Redis | undefined): Pace {
  const options = { keyPrefix: `pace:${name}`, points: perSecond, duration: 1 };
  const limiter = redis
    ? new RateLimiterRedis({ ...options, storeClient: redis })
    : new RateLimiterMemory(options);
  const people = new RateLimiterQueue(limiter, { maxQueueSize: limits.placeQueue.max });
  const work = new RateLimiterQueue(limiter);
  return {
    turn: () => people.removeTokens(1),
    turnOfWork: createLines(() => work.removeTokens(1)),
  };
}
