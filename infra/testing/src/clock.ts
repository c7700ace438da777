import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '@wayquest/platform/process';

/** A clock that stands still until a test advances it. */
export interface TestClock extends Clock {
  /**
   * Advances time: everything that sleeps until then wakes up in order, each at its own time.
   *
   * @param ms - Milliseconds.
   * @returns Resolves when everything that woke up has continued as far as possible without I/O.
   */
  advance(ms: number): Promise<void>;
}

/** Turns of the event loop before the next sleeper wakes up, for promise callbacks of the previous one. */
const turns = 10;

/** Creates a clock that stands still, by default at noon UTC of a day in spring. */
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
