import { setTimeout as sleepMs } from 'node:timers/promises';

/** Rejects calls to a dependency that does not respond, until it does. */
export interface CircuitBreaker {
  /**
   * Makes a call while the circuit is closed.
   *
   * @returns what the call resolves with
   * @throws what the call rejects with; while the circuit is open, at once, the error of `refuse`
   */
  run<T>(call: () => Promise<T>): Promise<T>;
  /** Whether calls are refused. */
  isOpen(): boolean;
  /** Ends probing, for good. */
  stop(): void;
}

export interface CircuitBreakerOptions {
  /** Whether a call that failed with this error waited in vain for an answer. Other errors change nothing. */
  isTimeout(error: unknown): boolean;
  /** Makes the error of a call that is refused. */
  refuse(): Error;
  /** Asks the dependency for an answer, and rejects without one. */
  probe(): Promise<unknown>;
  /** Called when the circuit opens or closes. */
  onChange?(isOpen: boolean): void;
  /** How many timeouts in a row open the circuit. */
  threshold?: number;
  /** Pauses between two probes. */
  sleep?(): Promise<unknown>;
}

const probeEveryMs = 200;

/**
 * Opens after some timeouts in a row. Then calls fail at once, and one probe after the other asks whether the dependency
 * answers; the first answer closes the circuit. The probes are its own: no caller has to wait for the sake of the others.
 *
 * @returns the breaker, closed
 */
export function createCircuitBreaker({
  isTimeout,
  refuse,
  probe,
  onChange = () => {},
  threshold = 5,
  sleep = () => sleepMs(probeEveryMs, undefined, { ref: false }),
}: CircuitBreakerOptions): CircuitBreaker {
  let timeouts = 0;
  let open = false;
  let stopped = false;

  const close = () => {
    open = false;
    timeouts = 0;
    onChange(false);
  };

  const probeUntilAnswered = async () => {
    while (!stopped) {
      try {
        await probe();
        return close();
      } catch {
        await sleep();
      }
    }
  };

  const countTimeout = () => {
    timeouts += 1;
    if (open || stopped || timeouts < threshold) return;
    open = true;
    onChange(true);
    void probeUntilAnswered();
  };

  return {
    async run(call) {
      if (open) throw refuse();
      try {
        const result = await call();
        timeouts = 0;
        return result;
      } catch (error) {
        if (isTimeout(error)) countTimeout();
        throw error;
      }
    },
    isOpen: () => open,
    stop() {
      stopped = true;
    },
  };
}
