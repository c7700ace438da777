/** A stall of the process counts as one of them at the most. */
const steps = 4;

/**
 * Waits for work until its deadline. A process that stalled, because it computed or was stopped, finds its timers due and
 * the answers still unread: the wait is counted in steps, of which a stall ends only one, and at its end what has arrived
 * is read before the work is given up.
 *
 * @param work - what is waited for; it is not cancelled, and what becomes of it after the deadline is ignored
 * @param timeoutMs - how long, in milliseconds
 * @param onTimeout - makes the error of work that is given up
 * @returns what the work resolves with
 * @throws what the work rejects with, or the error of `onTimeout`
 */
export async function withDeadline<T>(
  work: Promise<T>,
  timeoutMs: number,
  onTimeout: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    const wait = (left: number) => {
      timer = setTimeout(() => {
        if (left > 1) wait(left - 1);
        // Behind what the sockets have received.
        else setImmediate(() => reject(onTimeout()));
      }, timeoutMs / steps);
    };
    wait(steps);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}
