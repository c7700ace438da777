import { readTraceparent } from '@wayquest/platform/telemetry';

/** So many calls a second, of all clients together, go on with a trace that their client began. */
const maxPerSecond = 10;

/**
 * A client may say which trace its call belongs to, and so ask for it to be recorded or not: whoever looks for a fault finds
 * the call again. What it says is only believed so often, so that nobody fills the collector or one trace; the others begin
 * a trace of their own here, recorded or not as the gateway's own share says.
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
