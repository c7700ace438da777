import { startTimeout } from '@wayquest/contracts';

/** How long calls to a dependency may take before they fail; all in milliseconds. */
export interface Timeouts {
  /** Timeout of one call to the store, including the wait for a server and a connection, and the driver's retry. */
  storeCallMs: number;
  /** Timeout of one Redis command. */
  redisCommandMs: number;
}

/** Defaults of services: no call waits longer than two seconds for an unavailable store. */
export const productionTimeouts: Timeouts = { storeCallMs: 2_000, redisCommandMs: 500 };

/**
 * Waits for work with a timeout, which a stall of the process does not cut short (`startTimeout`).
 *
 * @param work - It is not canceled; its result after the timeout is ignored.
 * @param timeoutMs - In milliseconds.
 * @param onTimeout - Creates the error of the timeout.
 * @returns The result of the work.
 * @throws The error of the work, or that of `onTimeout`.
 */
export async function withDeadline<T>(
  work: Promise<T>,
  timeoutMs: number,
  onTimeout: () => Error,
): Promise<T> {
  let cancel: (() => void) | undefined;
  const expired = new Promise<never>((_, reject) => {
    cancel = startTimeout(timeoutMs, () => reject(onTimeout()));
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    cancel?.();
  }
}

/**
 * Calls `run` with a signal that is aborted after a timeout, which a stall of the process does not cut short (`startTimeout`), unlike
 * that of `AbortSignal.timeout`.
 *
 * @param timeoutMs - In milliseconds; counts until the promise of `run` is settled.
 * @param run - Rejects when the signal is aborted.
 * @returns The result of `run`.
 */
export async function withAbortSignal<T>(
  timeoutMs: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController();
  const cancelTimeout = startTimeout(timeoutMs, () =>
    timeout.abort(new Error(`timeout after ${timeoutMs} ms`)),
  );
  try {
    return await run(timeout.signal);
  } finally {
    cancelTimeout();
  }
}
