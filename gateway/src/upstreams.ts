import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { HttpServiceName } from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/http';
import type { Clock } from '@wayquest/platform/process';
import { watchPool } from '@wayquest/platform/telemetry';
import { type Breaker, createBreaker } from './breaker.ts';
import { Pool } from './pool.ts';

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

/** How old a connection becomes: an instance that is new has its share of the calls by then. */
const connectionAgeMs = 5_000;

/** A name may stand for several instances, which the system tends to name in the same order each time. */
const lookUpInAnyOrder: LookupFunction = (name, options, done) =>
  lookup(name, options, (error, found, family) => {
    if (!Array.isArray(found)) return done(error, found, family);
    const first = Math.floor(Math.random() * found.length);
    done(error, [...found.slice(first), ...found.slice(0, first)]);
  });

/** What leads to a service: connections, and whether it is worth waiting for. */
export interface Upstream {
  pool: Pool;
  breaker?: Breaker;
}

export interface Upstreams {
  patience: Patience;
  /** Throws `service-unavailable` for a service that has no address (yet). */
  to(service: HttpServiceName): Upstream;
  close(): Promise<void>;
}

/** Keep-alive connections to the services, made when first needed. */
export function createUpstreams(
  addresses: Record<HttpServiceName, UpstreamAddress>,
  { connections, patience, clock }: { connections: number; patience: Patience; clock: Clock },
): Upstreams {
  const upstreams = new Map<string, Upstream>();
  const unwatch: (() => void)[] = [];

  const create = (service: HttpServiceName, origin: string): Upstream => {
    const pool = new Pool(origin, {
      connections,
      clientTtl: connectionAgeMs,
      connect: { timeout: patience.connectMs, lookup: lookUpInAnyOrder },
      headersTimeout: patience.headersMs,
      bodyTimeout: patience.bodyIdleMs,
      keepAliveTimeout: patience.idleMs,
      keepAliveMaxTimeout: patience.idleMs,
    });
    const upstream = { pool, breaker: createBreaker(clock) };
    upstreams.set(origin, upstream);
    unwatch.push(watchPool({ service: 'gateway', to: service, waiting: () => pool.stats.queued }));
    return upstream;
  };

  return {
    patience,
    to(service) {
      const address = addresses[service];
      try {
        const origin = typeof address === 'string' ? address : address();
        return upstreams.get(origin) ?? create(service, origin);
      } catch (error) {
        throw new Problem('service-unavailable', { cause: error });
      }
    },
    async close() {
      await Promise.all([...upstreams.values()].map(({ pool }) => pool.destroy()));
      upstreams.clear();
      for (const end of unwatch.splice(0)) end();
    },
  };
}
