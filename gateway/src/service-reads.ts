import type { HttpServiceName, Operation } from '@wayquest/contracts';
import { withAbortSignal } from '@wayquest/platform/async';
import type { Upstreams } from './upstreams.ts';

/**
 * Calls an operation of a service without a token, for what a page shows before its scripts run.
 *
 * @returns The JSON of the response; undefined if the service rejected the call.
 * @throws If the service is unavailable, or does not respond in the time that a page waits for it.
 */
export const readFromService = (
  upstreams: Upstreams,
  { service }: Operation & { service: HttpServiceName },
  path: string,
): Promise<unknown> =>
  withAbortSignal(upstreams.timeouts.previewMs, async (signal) => {
    const response = await upstreams.forService(service).pool.request({
      method: 'GET',
      path,
      headers: { accept: 'application/json' },
      signal,
    });
    if (response.statusCode === 200) return response.body.json();
    await response.body.dump();
    if (response.statusCode < 500) return undefined;
    throw new Error(`${service} responded with ${response.statusCode}`);
  });
