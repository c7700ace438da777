import { Problem } from '@wayquest/platform/core';
import type { Clock } from '@wayquest/platform/process';

/** Number of consecutive timeouts after which a service counts as unresponsive. */
const maxSilent = 5;
/** Interval of the calls that test whether it responds again. */
const probeEveryMs = 1_000;

/** A circuit breaker: spares callers the wait for a service that does not respond, such as a suspended process. */
export interface Breaker {
  /** Throws `service-unavailable` while the circuit is open, except for one call a second. */
  admit(): void;
  /** The service responded to a call, with whatever status. */
  responded(): void;
  /** A call timed out. */
  silent(): void;
}

/** Creates the circuit breaker of one upstream, closed. */
export function createBreaker(clock: Clock): Breaker {
  let silences = 0;
  let nextProbe = 0;
  return {
    admit() {
      if (silences < maxSilent) return;
      const now = clock.now();
      if (now < nextProbe) throw new Problem('service-unavailable');
      nextProbe = now + probeEveryMs;
    },
    responded() {
      silences = 0;
    },
    silent() {
      silences += 1;
      nextProbe = clock.now() + probeEveryMs;
    },
  };
}
