import { setTimeout as wait } from 'node:timers/promises';
import { createRateLimiter } from '@wayquest/platform/redis';

/** A page that is turned away asks for a few things at once, and hears so at once. */
const atOnce = 20;
const laterMs = 1_000;

/**
 * Lets whoever goes on though they are refused wait for the answer: to refuse thousands of calls a second takes nearly as
 * much as to answer them, and takes it from the others.
 */
export function createSlowRefusals(): (network: string) => Promise<void> {
  const refusals = createRateLimiter({
    ...{ name: 'refusals', points: atOnce, seconds: 1, problem: 'too-many-requests' },
  });
  return async (network) => {
    await refusals.count(network).catch(() => wait(laterMs, undefined, { ref: false }));
  };
}
