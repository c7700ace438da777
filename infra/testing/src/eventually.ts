import { setTimeout as pause } from 'node:timers/promises';
import { describeNetworks } from './network/state.ts';

/** Settles as the check does, or rejects when the time is over: a check that hangs must not hide what it waited for. */
async function bounded<T>(check: () => T | Promise<T>, withinMs: number): Promise<T> {
  const controller = new AbortController();
  const late = pause(withinMs, undefined, { signal: controller.signal }).then(() => {
    throw new Error(`the check itself did not finish within ${withinMs} ms: ${check}`);
  });
  late.catch(() => {});
  try {
    return await Promise.race([check(), late]);
  } finally {
    controller.abort();
  }
}

/**
 * Tries a check again until it neither throws nor returns false.
 *
 * @param check - May throw, reject or return false as long as it does not hold yet.
 * @param options - `withinMs`: for how long it is tried; `everyMs`: the pause between two tries.
 * @returns What the check returned.
 * @throws Its last error, with the state of all networks of this test file.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { withinMs = 30_000, everyMs = 25 }: { withinMs?: number; everyMs?: number } = {},
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const remainingMs = end - performance.now();
    try {
      const answer = await bounded(check, Math.max(remainingMs, 1_000));
      if (answer !== false) return answer;
      throw new Error(`still false: ${check}`);
    } catch (error) {
      if (performance.now() > end) {
        const state = await describeNetworks();
        if (state && error instanceof Error) error.message += `\n\n${state}`;
        throw error;
      }
    }
    await pause(everyMs);
  }
}
