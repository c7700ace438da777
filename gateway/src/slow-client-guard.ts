import type { ServerResponse } from 'node:http';
import type { UpstreamTimeouts } from './upstreams.ts';

/**
 * Destroys the response if the client does not drain `bytes` within `drainTimeoutMs + bytes / minBytesPerSecond`:
 * unread data occupies memory and, for a long response, a connection.
 *
 * @returns A function to call once the bytes are drained.
 */
export function abortSlowClient(
  response: ServerResponse,
  bytes: number,
  { drainTimeoutMs, minBytesPerSecond }: UpstreamTimeouts,
): () => void {
  const timer = setTimeout(() => response.destroy(), drainTimeoutMs + (bytes / minBytesPerSecond) * 1_000);
  const drained = () => clearTimeout(timer);
  response.once('close', drained);
  return drained;
}
