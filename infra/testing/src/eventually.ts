import { setTimeout as pause } from 'node:timers/promises';
import { describeNetworks } from './network/state.ts';

/** Adds a timeout to a check, so that one that hangs is reported by its source. */
async function withTimeout<T>(check: () => T | Promise<T>, withinMs: number): Promise<T> {
  const controller = new AbortController();
  const timedOut = pause(withinMs, undefined, { signal: controller.signal }).then(() => {
    throw new Error(`the check itself did not finish within ${withinMs} ms: ${check}`);
  });
  timedOut.catch(() => {});
  try {
    return await Promise.race([check(), timedOut]);
  } finally {
    controller.abort();
  }
}

/** Pauses grow by this factor, up to this many milliseconds: what takes long is checked less often. */
const pauseGrowth = 1.2;
const maxPauseMs = 100;

/**
 * Repeats a check until it neither throws nor returns false.
 *
 * @param check - May throw, reject or return false while the condition does not hold.
 * @param options - `withinMs`: timeout; `everyMs`: the first pause between two attempts, those after it are longer; both in milliseconds.
 * @returns The result of the check.
 * @throws Its last error, with the state of all networks of this test file.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { withinMs = 30_000, everyMs = 20 }: { withinMs?: number; everyMs?: number } = {},
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (let pauseMs = everyMs; ; pauseMs = Math.max(everyMs, Math.min(pauseMs * pauseGrowth, maxPauseMs))) {
    const remainingMs = deadline - performance.now();
    try {
      const result = await withTimeout(check, Math.max(remainingMs, 1_000));
      if (result !== false) return result;
      throw new Error(`still false: ${check}`);
    } catch (error) {
      if (performance.now() > deadline) {
        const state = await describeNetworks();
        if (state && error instanceof Error) error.message += `\n\n${state}`;
        throw error;
      }
    }
    await pause(pauseMs);
  }
}
