import type { Clock } from './clock.ts';

/**
 * Runs work under a lease that another instance takes over when it ends: renews it until the work is done.
 *
 * @param options.everyMs - Pause between renewals in milliseconds, of which several fit into the lease.
 * @param options.renew - Must not reject: a renewal that failed is tried again after the pause.
 * @returns The result of `work`, after a renewal on its way: that must not follow what the caller does next, such as a release.
 */
export async function whileRenewing<T>(
  { everyMs, clock, renew }: { everyMs: number; clock: Clock; renew: () => Promise<unknown> },
  work: () => Promise<T>,
): Promise<T> {
  const done = new AbortController();
  const repeat = async () => {
    for (;;) {
      try {
        await clock.sleep(everyMs, done.signal);
      } catch {
        return;
      }
      await renew();
    }
  };
  const renewals = repeat();
  try {
    return await work();
  } finally {
    done.abort();
    await renewals;
  }
}
