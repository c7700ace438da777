import type { connectRedis } from '@wayquest/platform/redis';
import { RateLimiterMemory, RateLimiterQueue, RateLimiterRedis } from 'rate-limiter-flexible';

/** A person waits for so many others at most; then they are told that it can't be done now. */
const maxQueued = 4;

/** So much work of one account waits at most: what more there is comes again later, as events do. */
const maxPerAccount = 10;

/** Lets requests to one server through at the pace it allows. */
export interface Pace {
  /** Waits for one's turn. Rejects when too many wait already, and when the pace cannot be kept. */
  turn(): Promise<unknown>;
  /** The same for work that nobody waits for: the accounts that it is done for take turns. */
  turnOfWork(account: number): Promise<void>;
}

interface Waiting {
  go(): void;
  giveUp(reason: unknown): void;
}

/** Each account waits in a line of its own, however many others wait in theirs. Rejects where one has become too long. */
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
      if (line.length === maxPerAccount) return giveUp(new Error('too much of this account waits'));
      const isIdle = lines.size === 0;
      lines.set(account, [...line, { go, giveUp }]);
      if (isIdle) void serve();
    });
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
  const people = new RateLimiterQueue(limiter, { maxQueueSize: maxQueued });
  const work = new RateLimiterQueue(limiter);
  return {
    turn: () => people.removeTokens(1),
    turnOfWork: createLines(() => work.removeTokens(1)),
  };
}
