import { setTimeout as pause } from 'node:timers/promises';

/** Tries a check again until it neither throws nor answers false; then gives its answer. Fails with its last error. */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { withinMs = 10_000, everyMs = 25 }: { withinMs?: number; everyMs?: number } = {},
): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    try {
      const answer = await check();
      if (answer !== false) return answer;
      throw new Error(`still false: ${check}`);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await pause(everyMs);
  }
}
