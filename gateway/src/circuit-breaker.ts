import { Problem } from '@wayquest/platform/core';
import type { Clock } from '@wayquest/platform/process';

/** Number of consecutive timeouts after which a service counts as unresponsive. */
const maxConsecutiveTimeouts = 5;
/** Interval of the calls that test whether it responds again. */
const probeEveryMs = 1_000;

/** A circuit breaker: spares callers the wait for a service that does not respond, such as a suspended process. */
export interface CircuitBreaker {
  /** Throws `service-unavailable` while the circuit is open, except for one call a second. */
  admit(): void;
  /** The service responded to a call, with whatever status. */
  recordResponse(): void;
  /** A call timed out. */
  recordTimeout(): void;
}

/** Creates the circuit breaker of one upstream, closed. */
export function createUpstreamBreaker(clock: Clock): CircuitBreaker {
  let consecutiveTimeouts = 0;
  let nextProbe = 0;
  return {
    admit() {
      if (consecutiveTimeouts < maxConsecutiveTimeouts) return;
      const now = clock.now();
      if (now < nextProbe) throw new Problem('service-unavailable');
      nextProbe = now + probeEveryMs;
    },
    recordResponse() {
      consecutiveTimeouts = 0;
    },
    recordTimeout() {
      consecutiveTimeouts += 1;
      nextProbe = clock.now() + probeEveryMs;
    },
  };
}
