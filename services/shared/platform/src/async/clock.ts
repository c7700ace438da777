import { setTimeout as wait } from 'node:timers/promises';

/** The current time and sleeping. Injected into services, so that tests can advance it. */
export interface Clock {
  /** Milliseconds since 1970, as `Date.now()`. */
  now(): number;
  /**
   * Waits, without keeping the process alive.
   *
   * @param ms - For how many milliseconds.
   * @param signal - Ends the wait early.
   * @throws An `AbortError` when the signal is aborted.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => wait(ms, undefined, { ref: false, ...(signal && { signal }) }),
};
