import type { Event } from '@wayquest/contracts';
import { type Clock, systemClock } from '../async/clock.ts';
import { isUnavailable } from '../core/unavailable.ts';
import type { EventFilter, SubscribeOptions } from './event-bus.ts';

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

/** Delays before the retries of a failed delivery, in milliseconds; after the last it is dead-lettered. */
export const retryDelaysMs = [1_000, 5_000, 30_000, 120_000] as const;

/** What to do with a failed delivery. */
export interface RetryDecision {
  outcome: 'retried' | 'dead' | 'deferred';
  /** Failed attempts including this one; those for an unavailable dependency do not count. */
  attempt: number;
  /** Milliseconds until the retry, unless it is dead. */
  delayMs: (typeof retryDelaysMs)[number];
}

/**
 * Decides what to do with a failed delivery. Unparseable messages (SyntaxError) are dead-lettered at once: retrying cannot
 * help.
 *
 * @param attempt - Failed attempts before this one.
 */
export function decideRetry(error: unknown, attempt: number): RetryDecision {
  if (isUnavailable(error)) return { outcome: 'deferred', attempt, delayMs: retryDelaysMs[0] };
  const delayMs = retryDelaysMs[attempt];
  if (delayMs === undefined || error instanceof SyntaxError)
    return { outcome: 'dead', attempt: attempt + 1, delayMs: retryDelaysMs[0] };
  return { outcome: 'retried', attempt: attempt + 1, delayMs };
}

interface DeadLetterDeps extends SubscribeOptions {
  event: Event;
  store(): Promise<unknown>;
  erase(which: EventFilter): Promise<void>;
}

/**
 * Stores a dead letter unless `isErased` matches it. This is checked again once it is stored, since the account may have
 * been deleted in between.
 *
 * @returns Whether it is stored.
 */
export async function storeDeadLetter({
  event,
  isErased = () => false,
  store,
  erase,
}: DeadLetterDeps): Promise<boolean> {
  if (await isErased(event)) return false;
  await store();
  if (!(await isErased(event))) return true;
  await erase(isErased);
  return false;
}

/** The error as text of at most 500 characters, stored with the delivery. */
export const reasonOf = (error: unknown): string => String(error).slice(0, 500);
