import type { HttpServiceName } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/http';
import { Pool } from 'undici';

/** Where a service listens; a function for one whose address is known only once it runs, or changes. */
export type UpstreamAddress = string | (() => string);

export interface Patience {
  /** Until a call has a connection, be it that one opens or that one becomes free. */
  connectMs: number;
  /** From a call that was sent until the head of its answer. */
  headersMs: number;
  /** Between two pieces of an answer's body. */
  bodyIdleMs: number;
  /** For what a page is said to be about: it goes out without that otherwise. */
  previewMs: number;
  /** For a client to take what is held of its answer, besides what that takes at the least pace. */
  takeMs: number;
  /** The least pace. A telephone on the edge of a network takes as much. */
  leastBytesPerSecond: number;
  /** How long an unused connection is kept. Less than the services keep theirs, so that they never hang up first. */
  idleMs: number;
}

export const defaultPatience: Patience = {
  // A service that is down is said to be down within a second.
  connectMs: 900,
  headersMs: 10_000,
  bodyIdleMs: 30_000,
  previewMs: 400,
  takeMs: 10_000,
  leastBytesPerSecond: 16 * 1024,
  idleMs: 30_000,
};

/** More calls at once than this wait for a connection: past it, a service only gets slower. */
export const defaultConnections = 256;

export interface Upstreams {
  patience: Patience;
  /** Throws `service-unavailable` for a service that has no address (yet). */
  pool(service: HttpServiceName): Pool;
  close(): Promise<void>;
}

/** Keep-alive connections to the services, made when first needed. */
export function createUpstreams(
  addresses: Record<HttpServiceName, UpstreamAddress>,
  { connections, patience }: { connections: number; patience: Patience },
): Upstreams {
  const pools = new Map<string, Pool>();

  const create = (origin: string): Pool => {
    const pool = new Pool(origin, {
      connections,
      connect: { timeout: patience.connectMs },
      headersTimeout: patience.headersMs,
      bodyTimeout: patience.bodyIdleMs,
      keepAliveTimeout: patience.idleMs,
      keepAliveMaxTimeout: patience.idleMs,
    });
    pools.set(origin, pool);
    return pool;
  };

  return {
    patience,
    pool(service) {
      const address = addresses[service];
      try {
        const origin = typeof address === 'string' ? address : address();
        return pools.get(origin) ?? create(origin);
      } catch (error) {
        throw new Problem('service-unavailable', { cause: error });
      }
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}
