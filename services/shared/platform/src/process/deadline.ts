/** How long calls to a dependency may take before they fail; all in milliseconds. */
export interface Timeouts {
  /** Timeout of one call to the store, including the wait for a server and a connection, and the driver's retry. */
  storeCallMs: number;
  /** Timeout of one Redis command. */
  redisCommandMs: number;
}

/** Defaults of services: no call waits longer than two seconds for an unavailable store. */
export const productionTimeouts: Timeouts = { storeCallMs: 2_000, redisCommandMs: 500 };

/** The number of timers that one timeout is divided into. */
const steps = 4;

/**
 * Waits for work with a timeout. After a stall of the process (a long computation, or a suspension) its timers are due
 * while responses are still unread. So the timeout is counted in steps, of which a stall ends only one, and at the end
 * everything that has arrived is read before it rejects.
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
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    const schedule = (remainingSteps: number) => {
      timer = setTimeout(() => {
        if (remainingSteps > 1) schedule(remainingSteps - 1);
        // After everything that the sockets have received.
        else setImmediate(() => reject(onTimeout()));
      }, timeoutMs / steps);
    };
    schedule(steps);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}
