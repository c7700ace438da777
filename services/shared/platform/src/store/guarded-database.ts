import { AsyncLocalStorage } from 'node:async_hooks';
import { startTimeout } from '@wayquest/contracts';
import mongoose from 'mongoose';
import type { AdaptiveLimit, Urgency } from '../async/adaptive-limit.ts';
import type { CircuitBreaker } from '../async/circuit-breaker.ts';
import { withDeadline } from '../async/deadline.ts';
import { isMongoUnavailable, StoreUnavailableError } from '../core/unavailable.ts';
import { requestContext, type StoreWait } from '../telemetry/request-context.ts';

type Database = mongoose.mongo.Db;

const { AbstractCursor } = mongoose.mongo;

/** Methods that only describe a query; the cursor that they return runs it. */
const cursorMethods: ReadonlySet<PropertyKey> = new Set(['find', 'aggregate', 'listIndexes']);
const storeCallMethods: ReadonlySet<PropertyKey> = new Set([
  'toArray',
  'next',
  'hasNext',
  'tryNext',
  'explain',
]);

/** An object whose methods are called through `around`. */
function wrap<T extends object>(target: T, around: (name: PropertyKey, call: () => unknown) => unknown): T {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => around(name, () => Reflect.apply(member, object, args));
    },
  });
}

const withoutDeadlineContext = new AsyncLocalStorage<true>();

/**
 * Runs work whose calls to the store have no timeout and are never rejected by the circuit breaker, such as creating an
 * index.
 *
 * @returns The result of the work.
 */
export const withoutStoreDeadline = <T>(work: () => Promise<T>): Promise<T> =>
  withoutDeadlineContext.run(true, work);

/** The wait of the current call of a client; undefined for work of the background. */
function currentWait(): StoreWait | undefined {
  const wait = requestContext.getStore()?.storeWait;
  return wait?.isOver ? undefined : wait;
}

/**
 * A call that takes longer than this share of its timeout was answered late, since a request needs several. As much is left
 * to each call, however long its request has waited before: that may have been a stall of this process.
 */
export const lateShare = 0.125;

/** A call without an answer for this long after its timeout, relative to it, is taken for lost. */
const lostShare = 4;

/** How long all calls for one request may take together, relative to the timeout of one. */
const requestShare = 1.1;

export interface StoreGuards {
  breaker: CircuitBreaker;
  limit: AdaptiveLimit;
  /** Timeout of a call, or of each batch of a cursor, in milliseconds. */
  timeoutMs: number;
}

/**
 * Gives each call to a database's collections its turn and a timeout, and rejects calls while the circuit is open. The
 * driver has no timeout for a whole call: its `timeoutMS` has no effect any more, and its other timeouts add up.
 *
 * @param database - The driver's database.
 * @returns The same database; commands on the database itself are not changed.
 */
export function guardDatabase(database: Database, { breaker, limit, timeoutMs }: StoreGuards): Database {
  const timeoutError = () => new StoreUnavailableError(`the store did not respond within ${timeoutMs} ms`);

  /**
   * Makes a call whose turn it is. Its turn ends with the answer, which may come after the timeout. A call that is never
   * answered must not keep it: the driver may send one over a connection that has just been closed.
   */
  const make = (call: () => unknown, ms: number): Promise<unknown> => {
    const startedAt = performance.now();
    let stopWaiting: (() => void) | undefined;
    let hasEnded = false;
    const end = () => {
      if (hasEnded) return;
      hasEnded = true;
      stopWaiting?.();
      limit.end(startedAt);
    };
    const answer = async () => {
      try {
        const result = await call();
        breaker.recordAnswer();
        return result;
      } catch (error) {
        if (!isMongoUnavailable(error)) breaker.recordAnswer();
        throw error;
      } finally {
        end();
      }
    };
    return withDeadline(answer(), ms, () => {
      stopWaiting = startTimeout(timeoutMs * lostShare, end);
      return timeoutError();
    });
  };

  const makeInTime = async (call: () => unknown, urgency: Urgency, ms: number): Promise<unknown> => {
    const startedAt = performance.now();
    const turn = limit.begin(urgency, ms);
    if (!turn) return make(call, ms);
    await turn;
    return make(call, ms - (performance.now() - startedAt));
  };

  const guarded = async (call: () => unknown): Promise<unknown> => {
    if (withoutDeadlineContext.getStore()) return call();
    const wait = currentWait();
    if (!wait) return breaker.run(() => makeInTime(call, 'background', timeoutMs));
    const waitedMs = wait.ms();
    const urgency = waitedMs > 0 ? 'continued' : 'first';
    const leftMs = timeoutMs * Math.min(1, Math.max(requestShare - waitedMs / timeoutMs, lateShare));
    const endWait = wait.begin();
    try {
      return await breaker.run(() => makeInTime(call, urgency, leftMs));
    } finally {
      endWait();
    }
  };

  const guardCursor = (cursor: object): object => {
    const wrapped: object = wrap(cursor, (name, call) => {
      if (storeCallMethods.has(name)) return guarded(call);
      const result = call();
      return result === cursor ? wrapped : result;
    });
    return wrapped;
  };

  const guardCollection = (collection: object): object =>
    wrap(collection, (name, call) => {
      if (!cursorMethods.has(name)) return guarded(call);
      const cursor = call();
      return cursor instanceof AbstractCursor ? guardCursor(cursor) : cursor;
    });

  return wrap(database, (name, call) => {
    const result = call();
    return name === 'collection' && result instanceof mongoose.mongo.Collection
      ? guardCollection(result)
      : result;
  });
}
