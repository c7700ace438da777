/// <reference path="./undici-parts.d.ts" />
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { HttpServiceName } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import { Problem } from '@wayquest/platform/core';
import { watchPool } from '@wayquest/platform/telemetry';
import type { Pool as UndiciPool } from 'undici';
// Importing the whole package would replace the process's global dispatcher by its own. Node's `fetch`, a different
// version of the same code, then rejects headers that it would accept. These modules do not change the process.
import undiciApi from 'undici/lib/api/index.js';
import undiciPool from 'undici/lib/dispatcher/pool.js';

// As the package does: the class alone only dispatches.
Object.assign(undiciPool.prototype, undiciApi);

/** A pool of connections to one service. */
export const Pool: typeof UndiciPool = undiciPool;
export type Pool = UndiciPool;

/** Number of consecutive timeouts after which a service counts as unresponsive. */
const maxConsecutiveTimeouts = 5;
/** Interval of the calls that test whether it responds again. */
const probeEveryMs = 1_000;

/** A circuit breaker: spares callers the wait for a service that does not respond, such as a suspended process. */
export interface CircuitBreaker {
  /** Throws `service-unavailable` while the circuit is open, except for one call a second. */
  admit(): void;
  /** The service responded to a call, with whatever status. */
  recordResponse(): void;
  /** A call timed out. */
  recordTimeout(): void;
}

/** Creates the circuit breaker of one upstream, closed. */
function createUpstreamBreaker(clock: Clock): CircuitBreaker {
  let consecutiveTimeouts = 0;
  let nextProbe = 0;
  return {
    admit() {
      if (consecutiveTimeouts < maxConsecutiveTimeouts) return;
      const now = clock.now();
      if (now < nextProbe) throw new Problem('service-unavailable');
      nextProbe = now + probeEveryMs;
    },
    recordResponse() {
      consecutiveTimeouts = 0;
    },
    recordTimeout() {
      consecutiveTimeouts += 1;
      nextProbe = clock.now() + probeEveryMs;
    },
  };
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';

const connectionResetCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether an established connection was closed: the service may not have received the call. */
export const isConnectionReset = (error: unknown): boolean => connectionResetCodes.has(codeOf(error));

/** Whether a service received a call and did not respond in time. */
export const isResponseTimeout = (error: unknown): boolean => codeOf(error) === 'UND_ERR_HEADERS_TIMEOUT';

/** The problem for a failed call to a service. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const code = codeOf(error);
  if (unavailableCodes.has(code)) return new Problem('service-unavailable', { cause: error });
  if (isResponseTimeout(error)) return new Problem('gateway-timeout', { cause: error });
  if (code === 'UND_ERR_INVALID_ARG') {
    return new Problem('invalid-request', {
      cause: error,
      errors: [{ field: 'headers', reason: 'are not well-formed' }],
    });
  }
  return new Problem('bad-gateway', { cause: error });
}

/** A service's URL; a function if it is known only once it runs, or may change. */
export type UpstreamAddress = string | (() => string);

/** All in milliseconds. */
export interface UpstreamTimeouts {
  /** Until a request has a connection: a new one, or one that becomes free. */
  connectMs: number;
  /** From a request that was sent until the head of its response. */
  headersMs: number;
  /** Between two chunks of a response's body. */
  bodyIdleMs: number;
  /** For the data of a link preview; the page is served without it otherwise. */
  previewMs: number;
  /** For a client to drain its buffered response, in addition to what this takes at `minBytesPerSecond`. */
  drainTimeoutMs: number;
  /** Slower clients are disconnected. A phone with a bad connection is faster. */
  minBytesPerSecond: number;
  /** Keep-alive of an unused connection. Shorter than the services' own, so that they never close first. */
  idleMs: number;
}

export const defaultTimeouts: UpstreamTimeouts = {
  // An unavailable service is reported within a second.
  connectMs: 900,
  headersMs: 10_000,
  bodyIdleMs: 30_000,
  previewMs: 400,
  drainTimeoutMs: 10_000,
  minBytesPerSecond: 16 * 1024,
  idleMs: 30_000,
};

/** Maximum connections to a service; further calls wait, since more concurrency only makes it slower. */
export const defaultConnections = 256;

/** Maximum age of a connection, so that a new instance soon gets its share of the calls. */
const connectionAgeMs = 5_000;

/** A host name may resolve to several instances, which the resolver tends to return in the same order. */
const lookupRotated: LookupFunction = (name, options, done) =>
  lookup(name, options, (error, found, family) => {
    if (!Array.isArray(found)) return done(error, found, family);
    const first = Math.floor(Math.random() * found.length);
    done(error, [...found.slice(first), ...found.slice(0, first)]);
  });

/** A service's connection pool and circuit breaker. */
export interface Upstream {
  pool: Pool;
  breaker?: CircuitBreaker;
}

export interface Upstreams {
  timeouts: UpstreamTimeouts;
  /** Throws `service-unavailable` if the service has no address (yet). */
  forService(service: HttpServiceName): Upstream;
  close(): Promise<void>;
}

/** Creates keep-alive connections to the services, on first use. */
export function createUpstreams(
  addresses: Record<HttpServiceName, UpstreamAddress>,
  { connections, timeouts, clock }: { connections: number; timeouts: UpstreamTimeouts; clock: Clock },
): Upstreams {
  const upstreams = new Map<string, Upstream>();
  const stopWatching: (() => void)[] = [];

  const create = (service: HttpServiceName, origin: string): Upstream => {
    const pool = new Pool(origin, {
      connections,
      clientTtl: connectionAgeMs,
      connect: { timeout: timeouts.connectMs, lookup: lookupRotated },
      headersTimeout: timeouts.headersMs,
      bodyTimeout: timeouts.bodyIdleMs,
      keepAliveTimeout: timeouts.idleMs,
      keepAliveMaxTimeout: timeouts.idleMs,
    });
    const upstream = { pool, breaker: createUpstreamBreaker(clock) };
    upstreams.set(origin, upstream);
    stopWatching.push(watchPool({ service: 'gateway', to: service, waiting: () => pool.stats.queued }));
    return upstream;
  };

  return {
    timeouts,
    forService(service) {
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
      for (const stop of stopWatching.splice(0)) stop();
    },
  };
}
