import { readTraceparent } from '@wayquest/platform/telemetry';

/** How many calls a second, of all clients together, may continue a trace of their client. */
const maxPerSecond = 10;

/**
 * Returns a function that accepts or rejects a client's `traceparent`. A client can name the trace of its call, and so
 * decide whether it is recorded, to find the call again when it looks for a fault. Only a few are accepted each second,
 * so that nobody floods the collector or a trace. Other calls begin their own trace, sampled at the gateway's share.
 */
export function createClientTraces(now = () => performance.now()): (given: unknown) => string | undefined {
  let until = 0;
  let left = 0;
  return (given) => {
    if (given === undefined) return undefined;
    if (now() >= until) {
      until = now() + 1_000;
      left = maxPerSecond;
    }
    if (left === 0 || typeof given !== 'string' || !readTraceparent(given)) return undefined;
    left -= 1;
    return given;
  };
}
