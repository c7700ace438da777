import { withAbortSignal } from '@wayquest/platform/async';
import { limits, Problem } from '@wayquest/platform/core';
import type { Redis } from '@wayquest/platform/redis';
import type { Logger } from '@wayquest/platform/telemetry';
import { RateLimiterMemory, RateLimiterQueue, RateLimiterRedis } from 'rate-limiter-flexible';
import type { z } from 'zod';

/** Limits the rate of requests to one server. */
interface RequestRate {
  /** Resolves when a request may be sent. Rejects if too many wait already, or if the rate cannot be enforced. */
  acquire(): Promise<unknown>;
  /** The same for background work, round-robin between accounts. */
  acquireForWork(account: number): Promise<void>;
}

interface QueuedRequest {
  resolve(): void;
  reject(reason: unknown): void;
}

/** Each account has a queue of its own. Rejects if it is too long: events are retried later. */
function createFairQueue(next: () => Promise<unknown>): (account: number) => Promise<void> {
  const queues = new Map<number, QueuedRequest[]>();

  const dequeue = (): QueuedRequest | undefined => {
    const [first] = queues;
    if (!first) return undefined;
    const [account, [waiting, ...others]] = first;
    queues.delete(account);
    if (others.length) queues.set(account, others);
    return waiting;
  };

  const drain = async (): Promise<void> => {
    while (queues.size) {
      try {
        await next();
        dequeue()?.resolve();
      } catch (error) {
        dequeue()?.reject(error);
      }
    }
  };

  return (account) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(account) ?? [];
      if (queue.length === limits.placeWork.max)
        return reject(new Error('too many queued requests of this account'));
      const isIdle = queues.size === 0;
      queues.set(account, [...queue, { resolve, reject }]);
      if (isIdle) void drain();
    });
}

/**
 * Limits requests to a rate per second; with Redis, of all instances together. While Redis is unavailable no requests are sent,
 * since the limit cannot be shared.
 */
export function createRequestRate(name: string, perSecond: number, redis: Redis | undefined): RequestRate {
  const options = { keyPrefix: `request-rate:${name}`, points: perSecond, duration: 1 };
  const limiter = redis
    ? new RateLimiterRedis({ ...options, storeClient: redis })
    : new RateLimiterMemory(options);
  const people = new RateLimiterQueue(limiter, { maxQueueSize: limits.placeQueue.max });
  const work = new RateLimiterQueue(limiter);
  return {
    acquire: () => people.removeTokens(1),
    acquireForWork: createFairQueue(() => work.removeTokens(1)),
  };
}

/** An external server. */
export interface ExternalServer {
  /** Its validated response. Every failure is reported as `places-unavailable`; the cause is logged. */
  request<S extends z.ZodType>(request: ExternalRequest<S>): Promise<z.output<S>>;
}

export interface ExternalRequest<S extends z.ZodType> {
  path: string;
  /** A list is sent as one parameter for each of its values. */
  query?: Record<string, string | number | readonly string[]>;
  /** Sent as a form, by POST. */
  form?: Record<string, string>;
  response: S;
  /** For background work: the account that it is done for. */
  backgroundAccountId?: number;
}

export interface ExternalServerOptions {
  name: string;
  url: string;
  contact: string;
  rate: RequestRate;
  logger: Logger;
  timeoutMs: number;
  /** How long a person's call waits until it may be sent, in milliseconds. */
  queueTimeoutMs: number;
  /** Aborted when the service stops. */
  closing: AbortSignal;
}

/** The outcome, unless the signal is aborted first. */
function abortable<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Calls a server at its rate, with our name and contact. */
export function createExternalServer(options: ExternalServerOptions): ExternalServer {
  const { name, url, contact, rate, logger, timeoutMs, queueTimeoutMs, closing } = options;
  const headers = { accept: 'application/json', 'user-agent': `Wayquest (${contact})` };

  /**
   * Calls `run` with a signal that is aborted after the timeout, or when the service stops. A signal of
   * `AbortSignal.timeout` would not do: Node 20 collects it as garbage if only `AbortSignal.any` refers to it, and it
   * never fires (nodejs/node#57736).
   */
  const withTimeout = <T>(ms: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    withAbortSignal(ms, (signal) => run(AbortSignal.any([closing, signal])));

  const acquire = (backgroundAccountId: number | undefined) =>
    backgroundAccountId === undefined
      ? withTimeout(queueTimeoutMs, (signal) => abortable(signal, rate.acquire()))
      : abortable(closing, rate.acquireForWork(backgroundAccountId));

  const fetchJson = (path: string, form?: Record<string, string>): Promise<unknown> =>
    withTimeout(timeoutMs, async (signal) => {
      const response = await fetch(url + path, {
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
        headers,
        signal,
      });
      if (!response.ok) throw new Error(`${name} responded with ${response.status}`);
      return response.json();
    });

  return {
    async request({ path, query = {}, form, response, backgroundAccountId }) {
      try {
        await acquire(backgroundAccountId);
        const search = new URLSearchParams();
        for (const [key, value] of Object.entries(query))
          for (const each of [value].flat()) search.append(key, String(each));
        return response.parse(await fetchJson(search.size ? `${path}?${search}` : path, form));
      } catch (error) {
        logger.warn({ err: error, server: name, path }, 'place lookup failed');
        throw new Problem('places-unavailable', { cause: error });
      }
    },
  };
}
