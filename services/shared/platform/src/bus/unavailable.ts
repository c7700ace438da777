import { type Clock, systemClock } from '../process/clock.ts';
import { isRedisUnavailable } from '../redis/unavailable.ts';
import { isMongoUnavailable } from '../store/unavailable.ts';

/** How long a service's consumer pauses when a dependency is unavailable: at first, and at most. */
const minBackoffMs = 1_000;
const maxBackoffMs = 15_000;

/** Publishing failed because the broker is unavailable. The event was not accepted; the caller still owns it and may retry. */
export class BusUnavailableError extends Error {}

/** A subscriber of the event has not started yet, or has stopped, in this process. The event waits for it, which is no fault. */
export class SubscriberUnavailableError extends BusUnavailableError {}

/** Whether a handler failed only because a dependency is unavailable, so that its event may be retried without limit. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof BusUnavailableError || isMongoUnavailable(error) || isRedisUnavailable(error))
    return true;
  return error instanceof Error && error.cause !== undefined && isUnavailable(error.cause);
}

/**
 * Exponential back-off with jitter.
 *
 * @param attempt - Counted from 0.
 * @returns Milliseconds: `minMs * 2 ** attempt`, at most `maxMs`, less up to half of that at random.
 */
export const jitteredBackoff = (attempt: number, minMs: number, maxMs: number): number =>
  Math.min(maxMs, minMs * 2 ** attempt) * (1 - Math.random() / 2);

/** The back-off of one service's consumer: each pause is longer than the one before, until none was needed for a while. */
export function createConsumerBackoff(clock: Clock = systemClock) {
  let attempt = 0;
  let endedAt = 0;
  return {
    /** How long to pause now, in milliseconds. */
    next(): number {
      attempt = clock.now() - endedAt > maxBackoffMs ? 0 : attempt + 1;
      const backoffMs = jitteredBackoff(attempt, minBackoffMs, maxBackoffMs);
      endedAt = clock.now() + backoffMs;
      return backoffMs;
    },
  };
}
