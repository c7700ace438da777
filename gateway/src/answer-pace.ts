import type { ServerResponse } from 'node:http';
import type { Patience } from './upstreams.ts';

/**
 * Gives whoever takes an answer as long for so many bytes of it as the least pace needs, and then hangs up: what is not
 * taken keeps memory, and of a long answer a connection, from the others. Answers how to say that they were taken.
 */
export function cutSlowReader(
  response: ServerResponse,
  bytes: number,
  { takeMs, leastBytesPerSecond }: Patience,
): () => void {
  const cut = setTimeout(() => response.destroy(), takeMs + (bytes / leastBytesPerSecond) * 1_000);
  const taken = () => clearTimeout(cut);
  response.once('close', taken);
  return taken;
}
