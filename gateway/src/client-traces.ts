import { readTraceparent } from '@wayquest/platform/telemetry';

/** How many calls a second, of all clients together, may continue a trace of their client. */
const maxPerSecond = 10;

/**
 * Returns a function that accepts or rejects a client's `traceparent`. A client may pass its own (and so force sampling)
 * to debug a call. Only a few per second are accepted, so that nobody floods the collector or a trace; all other calls
 * start a new trace with the configured sampling ratio.
 */
export function createClientTraces(
  now = () => performance.now(),
): (traceparent: unknown) => string | undefined {
  let windowEndsAt = 0;
  let remaining = 0;
  return (traceparent) => {
    if (traceparent === undefined) return undefined;
    if (now() >= windowEndsAt) {
      windowEndsAt = now() + 1_000;
      remaining = maxPerSecond;
    }
    if (remaining === 0 || typeof traceparent !== 'string' || !readTraceparent(traceparent)) return undefined;
    remaining -= 1;
    return traceparent;
  };
}
