import { Problem } from '@wayquest/platform/core';
import type { Clock } from '@wayquest/platform/process';

/** So many calls in a row without an answer are a service that says nothing. */
const maxSilent = 5;
/** How often it is asked then whether it is back. */
const probeEveryMs = 1_000;

/** Spares people the wait for a service that says nothing, as one that is paused: a circuit breaker. */
export interface Breaker {
  /** Throws `service-unavailable` for all but one call a second while the service says nothing. */
  admit(): void;
  /** It answered a call, whatever it said. */
  heard(): void;
  /** A call waited for its answer in vain. */
  silent(): void;
}

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
    heard() {
      silences = 0;
    },
    silent() {
      silences += 1;
      nextProbe = clock.now() + probeEveryMs;
    },
  };
}
