/** The number of timers that one timeout is divided into. */
const steps = 4;

/** Calls back after everything that the sockets of a Node process have received; in a browser at once. */
function afterInput(callback: () => void): void {
  const setImmediate: ((callback: () => void) => unknown) | undefined = Reflect.get(
    globalThis,
    'setImmediate',
  );
  if (setImmediate) setImmediate(callback);
  else callback();
}

/**
 * Starts a timeout that a stall of the program, or a device that sleeps, does not cut short. After a stall (a long computation, or
 * a suspension) its timers are due while responses are still unread. So the timeout is counted in steps, of which a stall ends only
 * one, and in Node at the end everything that has arrived is read first.
 *
 * @param timeoutMs - In milliseconds.
 * @param onTimeout - Called once, unless it is canceled before.
 * @returns A function that cancels the timeout.
 */
export function startTimeout(timeoutMs: number, onTimeout: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isCanceled = false;
  const end = () => {
    if (!isCanceled) onTimeout();
  };
  const schedule = (remainingSteps: number) => {
    timer = setTimeout(() => {
      if (remainingSteps > 1) schedule(remainingSteps - 1);
      else afterInput(end);
    }, timeoutMs / steps);
  };
  schedule(steps);
  return () => {
    isCanceled = true;
    clearTimeout(timer);
  };
}
