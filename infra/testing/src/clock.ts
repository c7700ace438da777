import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@wayquest/platform/async';

/** A clock whose time only changes when a test advances it. */
export interface TestClock extends Clock {
  /**
   * Advances the time, and wakes up every sleeper that is due, in order and each at its own time.
   *
   * @param ms - Milliseconds.
   * @returns Resolves when the promise callbacks of all woken sleepers have run.
   */
  advance(ms: number): Promise<void>;
}

/** Turns of the event loop before the next sleeper wakes up, for promise callbacks of the previous one. */
const eventLoopIterations = 10;

/**
 * Creates a test clock.
 *
 * @param start - Milliseconds since the epoch; by default noon UTC of 4 May 2026.
 */
export function createTestClock(start = Date.parse('2026-05-04T12:00:00Z')): TestClock {
  let now = start;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  const runPendingCallbacks = async () => {
    for (let count = 0; count < eventLoopIterations; count++) await nextTurn();
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
      await runPendingCallbacks();
      for (;;) {
        const next = [...sleepers].sort((one, other) => one.at - other.at)[0];
        if (!next || next.at > end) break;
        now = next.at;
        next.wake();
        await runPendingCallbacks();
      }
      now = end;
    },
  };
}

/**
 * Stalls this process, as a busy machine or a long computation does.
 *
 * @param durationMs - How long nothing runs in it, in milliseconds.
 */
export function stallProcess(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs);
}
