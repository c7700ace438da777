import { type Operation, startTimeout } from '@wayquest/contracts';
import { limits, Problem } from '@wayquest/platform/core';
import type { RateLimitKey } from './rate-limits.ts';

export interface ConcurrencyLimits {
  /** Max concurrent requests per IP address. */
  perAddress: number;
  /** Max concurrent requests per token. Anonymous requests from one IP address get twice this. */
  perToken: number;
  /** Max open WebSockets and long polls per IP address. */
  sockets: number;
}

export const defaultConcurrencyLimits: ConcurrencyLimits = {
  perAddress: limits.concurrentRequestsPerAddress.max,
  perToken: limits.concurrentRequestsPerToken.max,
  sockets: limits.socketsPerAddress.max,
};

/** Several people may share an address: anonymous requests from it get this many times the limit of a token. */
const anonymousFactor = 2;

/** Queue length per active slot, sized for page loads and shared office addresses. */
const maxQueuedPerSlot = 10;

/** Frees the acquired slots; further calls do nothing. */
type Release = () => void;

/** A weighted semaphore per key, with a queue. */
export interface ConcurrencyLimiter {
  /**
   * Takes `weight` slots of `key`, at most all of them; waits in the key's queue while they are in use.
   *
   * @param weight - 1 if not given.
   * @returns What frees the slots.
   * @throws Problem `too-many-requests` if the queue is full, or the wait exceeds the limiter's `maxWaitMs`.
   */
  acquire(key: string, weight?: number): Promise<Release>;
}

interface Slots {
  active: number;
  /** Starts a queued request, by the slots that it needs; first in, first out. */
  queued: Map<() => void, number>;
}

/**
 * Creates a concurrency limiter.
 *
 * @param maxActive - Slots of each key.
 * @param maxWaitMs - How long a request may be queued, in milliseconds; 0 rejects immediately what exceeds `maxActive`.
 */
export function createConcurrencyLimiter(maxActive: number, maxWaitMs: number): ConcurrencyLimiter {
  const slotsByKey = new Map<string, Slots>();
  const tooMany = () => new Problem('too-many-requests', { retryAfterSeconds: 1 });

  const startQueued = (slots: Slots): void => {
    for (const [start, requestedSlots] of slots.queued) {
      if (slots.active + requestedSlots > maxActive) return;
      start();
    }
  };

  const occupy = (key: string, slots: Slots, weight: number): Release => {
    slots.active += weight;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      slots.active -= weight;
      startQueued(slots);
      if (slots.active === 0) slotsByKey.delete(key);
    };
  };

  return {
    async acquire(key, requestedSlots = 1) {
      const weight = Math.min(requestedSlots, maxActive);
      const slots = slotsByKey.get(key) ?? { active: 0, queued: new Map() };
      slotsByKey.set(key, slots);
      if (slots.queued.size === 0 && slots.active + weight <= maxActive) return occupy(key, slots, weight);
      if (maxWaitMs === 0 || slots.queued.size >= maxActive * maxQueuedPerSlot) throw tooMany();
      return new Promise((resolve, reject) => {
        const start = () => {
          cancelTimeout();
          slots.queued.delete(start);
          resolve(occupy(key, slots, weight));
        };
        const cancelTimeout = startTimeout(maxWaitMs, () => {
          slots.queued.delete(start);
          reject(tooMany());
          // The next in the queue may need fewer slots.
          startQueued(slots);
        });
        slots.queued.set(start, weight);
      });
    },
  };
}

export interface RequestConcurrencyLimiter {
  /**
   * Waits for the slots of a request.
   *
   * @returns A function that frees them.
   * @throws Problem `too-many-requests`.
   */
  acquire(operation: Pick<Operation, 'navigation' | 'weight'>, key: RateLimitKey): Promise<Release>;
}

/**
 * Limits the concurrent requests of each token and each address, so that one client leaves the connections to the services
 * for others.
 *
 * @param maxWaitMs - How long a request may be queued.
 */
export function createRequestConcurrencyLimiter(
  { perAddress, perToken }: Pick<ConcurrencyLimits, 'perAddress' | 'perToken'>,
  maxWaitMs: number,
): RequestConcurrencyLimiter {
  const byAddress = createConcurrencyLimiter(perAddress, maxWaitMs);
  const byToken = createConcurrencyLimiter(perToken, maxWaitMs);
  const byAnonymousNetwork = createConcurrencyLimiter(perToken * anonymousFactor, maxWaitMs);
  return {
    async acquire({ navigation, weight }, { network, client }) {
      // A page requests a picture for each person that it shows; these count against the address only.
      if (navigation) return byAddress.acquire(network);
      // The client's own slot first: a client that queues behind itself takes no slot of its address.
      const releaseClient = await (client === network ? byAnonymousNetwork : byToken).acquire(client, weight);
      try {
        const releaseAddress = await byAddress.acquire(network);
        return () => {
          releaseAddress();
          releaseClient();
        };
      } catch (error) {
        releaseClient();
        throw error;
      }
    },
  };
}
