import type { Clock } from '@wayquest/platform/process';

/** A page that is refused requests a few things together, and is answered immediately. */
const burst = 20;
const windowMs = 1_000;
const delayMs = 1_000;

/**
 * Delays answers to clients that go on although they are refused: to refuse thousands of calls a second takes nearly as
 * much as to answer them, and takes it from the others.
 *
 * @param clock - Windows are seconds of this clock.
 * @returns What to await before a refusal is answered; its argument is the client's network.
 */
export function createTarpit(clock: Clock): (network: string) => Promise<void> {
  let current = 0;
  let refusals = new Map<string, number>();
  return async (network) => {
    const window = Math.floor(clock.now() / windowMs);
    if (window !== current) {
      current = window;
      refusals = new Map();
    }
    const count = (refusals.get(network) ?? 0) + 1;
    refusals.set(network, count);
    if (count > burst) await clock.sleep(delayMs);
  };
}
