import type { Event } from '@wayquest/contracts';
import { isAway } from './away.ts';
import type { SubscribeOptions, Which } from './event-bus.ts';

/** How long a delivery that failed waits before it is tried again; after the last it is dead. */
export const retryDelays = [1_000, 5_000, 30_000, 120_000] as const;

/** What becomes of a delivery that failed. */
export interface Verdict {
  outcome: 'retried' | 'dead' | 'deferred';
  /** How often it has failed, this time included; that a part was away is not held against it. */
  attempt: number;
  /** For how long it waits, unless it is dead. */
  delay: (typeof retryDelays)[number];
}

/** Judges a delivery that failed `attempt` times before. What cannot even be read will never be better. */
export function judge(error: unknown, attempt: number): Verdict {
  if (isAway(error)) return { outcome: 'deferred', attempt, delay: retryDelays[0] };
  const delay = retryDelays[attempt];
  if (delay === undefined || error instanceof SyntaxError)
    return { outcome: 'dead', attempt: attempt + 1, delay: retryDelays[0] };
  return { outcome: 'retried', attempt: attempt + 1, delay };
}

interface Burial extends SubscribeOptions {
  event: Event;
  keep(): Promise<unknown>;
  discard(which: Which): Promise<void>;
}

/**
 * Keeps a dead letter, unless its service must forget it: asked once more when it is kept, as that may just have come.
 * Answers whether it is kept.
 */
export async function bury({ event, mustForget = () => false, keep, discard }: Burial): Promise<boolean> {
  if (await mustForget(event)) return false;
  await keep();
  if (!(await mustForget(event))) return true;
  await discard(mustForget);
  return false;
}

/** The cause in a few words, to keep beside the delivery. */
export const reasonOf = (error: unknown): string => String(error).slice(0, 500);
