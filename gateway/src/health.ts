import { type HttpServiceName, serviceNames } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import type { RealtimeNodes } from './realtime-nodes.ts';
import { isConnectionReset, type Upstreams } from './upstreams.ts';

/** How long a result is used again, in milliseconds: callers cannot make the gateway ask more often. */
const cacheMs = 2_000;

/** How long a service may take, in milliseconds: it asks its store and the broker. */
const timeoutMs = 3_000;

/** Returns the names of the services that are not ready; none if all of Wayquest works. */
export type UnreadyServices = () => Promise<string[]>;

/** Whether what a service's address responds to `GET /readyz` is that it is ready. */
type IsReady = () => Promise<boolean>;

/**
 * Creates the check behind the public `/healthz`, which asks every service whether it is ready, and of realtime whether one node is.
 *
 * @param nodes - Undefined without realtime.
 */
export function createHealth({
  upstreams,
  nodes,
  clock,
}: {
  upstreams: Upstreams;
  nodes: RealtimeNodes | undefined;
  clock: Clock;
}): UnreadyServices {
  const isReady = (service: HttpServiceName): IsReady => {
    const ask = async () => {
      const { pool } = upstreams.forService(service);
      const signal = AbortSignal.timeout(timeoutMs);
      const { statusCode, body } = await pool.request({ method: 'GET', path: '/readyz', signal });
      await body.dump();
      return statusCode === 200;
    };
    // A connection that the service closed while it was unused says nothing about it.
    return () => ask().catch((error) => (isConnectionReset(error) ? ask() : Promise.reject(error)));
  };

  const isRealtimeReady = async ({ origins }: RealtimeNodes): Promise<boolean> => {
    const asked = (await origins()).map(async (origin) => {
      const { ok } = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(timeoutMs) });
      if (!ok) throw new Error('not ready');
    });
    return Promise.any(asked).then(() => true);
  };

  const checks = serviceNames.flatMap((name): { name: string; isReady: IsReady }[] => {
    if (name !== 'realtime') return [{ name, isReady: isReady(name) }];
    return nodes ? [{ name, isReady: () => isRealtimeReady(nodes) }] : [];
  });

  let last: { unready: Promise<string[]>; until: number } | undefined;
  return () => {
    if (!last || last.until <= clock.now()) {
      const all = checks.map(async (check) => ((await check.isReady().catch(() => false)) ? [] : check.name));
      last = { unready: Promise.all(all).then((names) => names.flat()), until: clock.now() + cacheMs };
    }
    return last.unready;
  };
}
