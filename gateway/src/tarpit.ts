import { limits } from '@wayquest/platform/core';
import type { Clock } from '@wayquest/platform/process';

/** A page makes several calls at once; if they are rejected, so many get an immediate response. */
const { max: burst, seconds } = limits.rejections;
const windowMs = seconds * 1_000;
const delayMs = 1_000;

/**
 * Delays responses to clients that continue although they are rejected: rejecting thousands of calls a second takes
 * nearly as much CPU as serving them, at the expense of others.
 *
 * @param clock - Windows are seconds of this clock.
 * @returns A function to await before a rejection is sent; its argument is the client's network.
 */
export function createTarpit(clock: Clock): (network: string) => Promise<void> {
  let current = 0;
  let rejections = new Map<string, number>();
  return async (network) => {
    const window = Math.floor(clock.now() / windowMs);
    if (window !== current) {
      current = window;
      rejections = new Map();
    }
    const count = (rejections.get(network) ?? 0) + 1;
    rejections.set(network, count);
    if (count > burst) await clock.sleep(delayMs);
  };
}
