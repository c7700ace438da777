import { type Clock, systemClock } from '../process/clock.ts';

/** How long a service's consumer pauses when a dependency is unavailable: at first, and at most. */
const minBackoffMs = 1_000;
const maxBackoffMs = 15_000;

/**
 * Exponential back-off with jitter.
 *
 * @param attempt - Counted from 0.
 * @returns Milliseconds: `minMs * 2 ** attempt`, at most `maxMs`, less up to half of that at random.
 */
export const jitteredBackoff = (attempt: number, minMs: number, maxMs: number): number =>
  Math.min(maxMs, minMs * 2 ** attempt) * (1 - Math.random() / 2);

/** The back-off of one service's consumer: each pause is longer than the one before, until none was needed for a while. */
export interface ConsumerBackoff {
  /** How long to pause now, in milliseconds. */
  next(): number;
}

/** Creates the back-off, which begins with the shortest pause. */
export function createConsumerBackoff(clock: Clock = systemClock): ConsumerBackoff {
  let attempt = 0;
  let endedAt = 0;
  return {
    next() {
      attempt = clock.now() - endedAt > maxBackoffMs ? 0 : attempt + 1;
      const backoffMs = jitteredBackoff(attempt, minBackoffMs, maxBackoffMs);
      endedAt = clock.now() + backoffMs;
      return backoffMs;
    },
  };
}
