import { limits } from '@wayquest/platform/core';
import type { Redis } from '@wayquest/platform/redis';
import { RateLimiterMemory, RateLimiterQueue, RateLimiterRedis } from 'rate-limiter-flexible';

/** Limits the rate of requests to one server. */
export interface RequestRate {
  /** Resolves when a request may be sent. Rejects if too many wait already, or if the rate cannot be enforced. */
  acquire(): Promise<unknown>;
  /** The same for background work, round-robin between accounts. */
  acquireForWork(account: number): Promise<void>;
}

interface QueuedRequest {
  resolve(): void;
  reject(reason: unknown): void;
}

/** Each account has a queue of its own. Rejects if it is too long: events are retried later. */
function createFairQueue(next: () => Promise<unknown>): (account: number) => Promise<void> {
  const queues = new Map<number, QueuedRequest[]>();

  const dequeue = (): QueuedRequest | undefined => {
    const [first] = queues;
    if (!first) return undefined;
    const [account, [waiting, ...others]] = first;
    queues.delete(account);
    if (others.length) queues.set(account, others);
    return waiting;
  };

  const drain = async (): Promise<void> => {
    while (queues.size) {
      try {
        await next();
        dequeue()?.resolve();
      } catch (error) {
        dequeue()?.reject(error);
      }
    }
  };

  return (account) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(account) ?? [];
      if (queue.length === limits.placeWork.max)
        return reject(new Error('too many queued requests of this account'));
      const isIdle = queues.size === 0;
      queues.set(account, [...queue, { resolve, reject }]);
      if (isIdle) void drain();
    });
}

/**
 * Limits requests to a rate per second; with Redis, of all instances together. While Redis is unavailable no requests are sent,
 * since the limit cannot be shared.
 */
export function createRequestRate(name: string, perSecond: number, redis: Redis | undefined): RequestRate {
  const options = { keyPrefix: `request-rate:${name}`, points: perSecond, duration: 1 };
  const limiter = redis
    ? new RateLimiterRedis({ ...options, storeClient: redis })
    : new RateLimiterMemory(options);
  const people = new RateLimiterQueue(limiter, { maxQueueSize: limits.placeQueue.max });
  const work = new RateLimiterQueue(limiter);
  return {
    acquire: () => people.removeTokens(1),
    acquireForWork: createFairQueue(() => work.removeTokens(1)),
  };
}
