import { type Clock, systemClock } from '../process/clock.ts';
import { isRedisAway } from '../redis/away.ts';
import { isStoreAway } from '../store/away.ts';

/** How long a service's deliveries rest when a part is found away, and at the most when it stays away. */
const shortestRestMs = 1_000;
const longestRestMs = 15_000;

/** An event could not be given to the bus. It is still with whoever wanted to, and may be given again. */
export class BusAway extends Error {}

/** A subscriber of an event has not started yet, or has stopped, in this process: the event waits for it, as it should. */
export class SubscriberMissing extends BusAway {}

/** Whether a handler failed only because a part that it needs is away: its event is as good as before. */
export function isAway(error: unknown): boolean {
  if (error instanceof BusAway || isStoreAway(error) || isRedisAway(error)) return true;
  return error instanceof Error && error.cause !== undefined && isAway(error.cause);
}

/** A time that grows with each attempt from the shortest to the longest, less up to half of it by chance. */
export const growingPause = (attempt: number, shortestMs: number, longestMs: number): number =>
  Math.min(longestMs, shortestMs * 2 ** attempt) * (1 - Math.random() / 2);

/** The rests of one service: each longer than the one before, until a part has been there for a while. */
export function createRests(clock: Clock = systemClock) {
  let taken = 0;
  let endedAt = 0;
  return {
    /** How long to rest now. */
    next(): number {
      taken = clock.now() - endedAt > longestRestMs ? 0 : taken + 1;
      const restMs = growingPause(taken, shortestRestMs, longestRestMs);
      endedAt = clock.now() + restMs;
      return restMs;
    },
  };
}
