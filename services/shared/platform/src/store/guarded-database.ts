import { AsyncLocalStorage } from 'node:async_hooks';
import mongoose from 'mongoose';
import type { CircuitBreaker } from '../async/circuit-breaker.ts';
import { withDeadline } from '../async/deadline.ts';
import { StoreUnavailableError } from '../core/unavailable.ts';

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

/**
 * Gives each call to a database's collections a timeout, and rejects calls while the circuit is open. The driver has no
 * timeout for a whole call: its `timeoutMS` has no effect any more, and its other timeouts add up.
 *
 * @param database - The driver's database.
 * @param options - `timeoutMs`: timeout of a call, or of each batch of a cursor, in milliseconds.
 * @returns The same database; commands on the database itself are not changed.
 */
export function guardDatabase(
  database: Database,
  { breaker, timeoutMs }: { breaker: CircuitBreaker; timeoutMs: number },
): Database {
  const timeoutError = () => new StoreUnavailableError(`the store did not respond within ${timeoutMs} ms`);
  const guarded = async (call: () => unknown): Promise<unknown> => {
    if (withoutDeadlineContext.getStore()) return call();
    return breaker.run(() => withDeadline(Promise.resolve(call()), timeoutMs, timeoutError));
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
