import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '@wayquest/platform/process';

/** A clock that stands still until a test advances it. */
export interface TestClock extends Clock {
  /**
   * Lets time pass: everything that sleeps until then wakes up in its order, each at its own moment.
   *
   * @param ms - How many milliseconds.
   * @returns When what woke up has gone on as far as it gets without input or output.
   */
  advance(ms: number): Promise<void>;
}

/** How often the event loop turns before the next sleeper wakes, for what the last one does with promises alone. */
const turns = 10;

/** Makes a clock that shows a fixed moment of a spring day, at noon UTC, unless told otherwise. */
export function createTestClock(start = Date.parse('2026-05-04T12:00:00Z')): TestClock {
  let now = start;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  const settle = async () => {
    for (let count = 0; count < turns; count++) await turn();
  };
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const abort = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper = {
          at: now + Math.max(0, ms),
          wake: () => {
            sleepers.delete(sleeper);
            signal?.removeEventListener('abort', abort);
            resolve();
          },
        };
        if (signal?.aborted) return reject(signal.reason);
        signal?.addEventListener('abort', abort, { once: true });
        sleepers.add(sleeper);
      }),
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const next = [...sleepers].sort((one, other) => one.at - other.at)[0];
        if (!next || next.at > end) break;
        now = next.at;
        next.wake();
        await settle();
      }
      now = end;
    },
  };
}
