import { setTimeout as sleepMs } from 'node:timers/promises';

/** Rejects calls to a dependency that does not respond, until it does. */
export interface CircuitBreaker {
  /**
   * Makes a call while the circuit is closed.
   *
   * @returns The result of the call.
   * @throws The error of the call; while the circuit is open, immediately the error of `openError`.
   */
  run<T>(call: () => Promise<T>): Promise<T>;
  /** The dependency has answered a call, however late. A result of `run` counts by itself. */
  recordAnswer(): void;
  /** Whether the circuit is open. */
  isOpen(): boolean;
  /** Stops probing for good. */
  stop(): void;
}

export interface CircuitBreakerOptions {
  /** Whether an error is a timeout. Other errors change nothing. */
  isTimeout(error: unknown): boolean;
  /** Creates the error for calls while the circuit is open. */
  openError(): Error;
  /** Calls the dependency; rejects if it does not respond. */
  probe(): Promise<unknown>;
  /** Called when the circuit opens or closes. */
  onChange?(isOpen: boolean): void;
  /** Number of consecutive timeouts that open the circuit. */
  threshold?: number;
  /** The circuit stays closed if any call was answered within this time, in milliseconds: slow is not away. */
  silenceMs?: number;
  /** The time in milliseconds; default: the process's monotonic clock. */
  now?(): number;
  /** Pause between two probes. */
  sleep?(): Promise<unknown>;
}

const probeEveryMs = 200;

/**
 * Opens after some consecutive timeouts without any answer. Then calls fail immediately, and probes are sent one after the other; the
 * first successful one closes the circuit. Probes are separate calls, so that no caller has to wait to find out.
 *
 * @returns The breaker, closed.
 */
export function createCircuitBreaker({
  isTimeout,
  openError,
  probe,
  onChange = () => {},
  threshold = 5,
  silenceMs = 0,
  now = () => performance.now(),
  sleep = () => sleepMs(probeEveryMs, undefined, { ref: false }),
}: CircuitBreakerOptions): CircuitBreaker {
  let timeouts = 0;
  let answeredAt = Number.NEGATIVE_INFINITY;
  let open = false;
  let stopped = false;

  const recordAnswer = () => {
    timeouts = 0;
    answeredAt = now();
  };

  const close = () => {
    open = false;
    timeouts = 0;
    onChange(false);
  };

  const probeUntilResponse = async () => {
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
    if (open || stopped || timeouts < threshold || now() - answeredAt < silenceMs) return;
    open = true;
    onChange(true);
    void probeUntilResponse();
  };

  return {
    async run(call) {
      if (open) throw openError();
      try {
        const result = await call();
        recordAnswer();
        return result;
      } catch (error) {
        if (isTimeout(error)) countTimeout();
        throw error;
      }
    },
    recordAnswer,
    isOpen: () => open,
    stop() {
      stopped = true;
    },
  };
}
