import mongoose from 'mongoose';
import { afterTest } from './backing.ts';
import { eventually } from './eventually.ts';

type Query = mongoose.Query<unknown, unknown>;

/** Runs all queries of this process through a function, until the test has finished or the returned function is called. */
function disturb(run: (query: Query, execute: () => Promise<unknown>) => Promise<unknown>): () => void {
  const { exec } = mongoose.Query.prototype;
  mongoose.Query.prototype.exec = function (this: Query, ...args) {
    return run(this, () => exec.apply(this, args));
  };
  const restore = () => {
    mongoose.Query.prototype.exec = exec;
  };
  afterTest(restore);
  return restore;
}

/** Queries whose results the services have not received yet. */
export interface HeldQueries {
  /** Resolves when so many are waiting. */
  waitFor(count: number): Promise<void>;
  release(): void;
}

/**
 * Holds back the results of queries, as a slow store does, so that a test can make calls meet in between.
 *
 * @param which - A model's name, or whether a query is held back.
 * @param most - Later queries are not held back.
 */
export function holdQueries(
  which: string | ((query: Query) => boolean),
  most = Number.MAX_SAFE_INTEGER,
): HeldQueries {
  const affects = typeof which === 'string' ? ({ model }: Query) => model.modelName === which : which;
  let waiting = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  disturb(async (query, execute) => {
    const result = await execute();
    if (affects(query) && waiting < most) {
      waiting += 1;
      await released;
    }
    return result;
  });
  return {
    async waitFor(count) {
      await eventually(() => waiting === count);
    },
    release,
  };
}

/**
 * Makes queries fail as if the store was away, until the test has finished or the returned function is called.
 *
 * @param affects - Whether a query fails; called in the order of the queries.
 */
export const failQueries = (affects: (query: Query) => boolean): (() => void) =>
  disturb(async (query, execute) => {
    if (affects(query)) throw new mongoose.mongo.MongoNetworkError('the store is away');
    return execute();
  });
