import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { type Connection, type Model, type QueryFilter, type UpdateQuery } from 'mongoose';
import { type AdaptiveLimit, createAdaptiveLimit } from '../async/adaptive-limit.ts';
import { createCircuitBreaker } from '../async/circuit-breaker.ts';
import { type Clock, systemClock } from '../async/clock.ts';
import { productionTimeouts, type Timeouts, withDeadline } from '../async/deadline.ts';
import { isMongoUnavailable, isStoreTimeout, StoreUnavailableError } from '../core/unavailable.ts';
import { connectOrFail } from '../settings/settings.ts';
import type { Logger } from '../telemetry/logging.ts';
import { guardDatabase, lateShare, withoutStoreDeadline } from './guarded-database.ts';
import { type Migration, runMigrations } from './migrations.ts';
import { isWriteConflict } from './store-errors.ts';
import './idle-pools.ts';

export interface MongoOptions {
  url: string;
  database: string;
  logger: Logger;
  /** Default: those of production. */
  timeouts?: Timeouts | undefined;
}

/**
 * How the driver monitors servers; options in the URL take precedence. Each call has its own timeout (`guardDatabase`),
 * so the monitor has to conclude nothing from a late heartbeat: when it declares a server unavailable, it closes its
 * connections, and with them calls that are only waiting. It does that after half a minute.
 */
function monitoringOptions(url: string, { storeCallMs }: Timeouts) {
  const optionsInUrl = [...new URLSearchParams(url.split('?')[1]).keys()].map((name) => name.toLowerCase());
  // Later than the timeout of a call, since after a stall of the process these timers fail calls immediately. A call
  // that timed out keeps waiting for a server or a connection for at most this long.
  const waitMs = Math.max(startTimeoutMs, storeCallMs);
  const options = {
    heartbeatFrequencyMS: 10_000,
    connectTimeoutMS: 30_000,
    serverSelectionTimeoutMS: waitMs,
    waitQueueTimeoutMS: waitMs,
  };
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => !optionsInUrl.includes(name.toLowerCase())),
  );
}

/** How long a starting service waits for its store. */
const startTimeoutMs = 10_000;

/** Longer, since a store that has responded will be back. */
const prepareTimeoutMs = 60_000;

/** Repeats a part of the start-up while the store is unavailable: it may be starting at the same time. */
async function retryWhileUnavailable<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isMongoUnavailable(error) || performance.now() > end) throw error;
      await sleep(minPauseMs);
    }
  }
}

/** Documents in the first batch of a find; the default of 101 would need a second round trip. */
const findBatchSize = 2_000;

async function openConnection({
  url,
  database,
  logger,
  timeouts = productionTimeouts,
}: MongoOptions): Promise<Connection> {
  const connection = mongoose.createConnection(url, {
    dbName: database,
    appName: database,
    autoIndex: false,
    autoCreate: false,
    // Otherwise mongoose would buffer calls while the store is unavailable.
    bufferCommands: false,
    retryWrites: true,
    // Heartbeats are polled: streaming them would need a second connection.
    serverMonitoringMode: 'poll',
    ...monitoringOptions(url, timeouts),
  });
  connection.plugin((schema) =>
    schema.pre('find', function () {
      if (this.getOptions().batchSize === undefined) this.batchSize(findBatchSize);
    }),
  );
  try {
    await connection.asPromise();
  } catch (error) {
    await connection.close();
    throw error;
  }
  guard(connection, { logger, timeoutMs: timeouts.storeCallMs });
  return connection;
}

const limits = new WeakMap<Connection, AdaptiveLimit>();

/** Gives the calls of a connection's models a timeout, a limit of calls under way, and a circuit breaker. */
function guard(connection: Connection, { logger, timeoutMs }: { logger: Logger; timeoutMs: number }): void {
  const { db } = connection;
  if (!db) throw new Error('the connection is not open');
  const reconnect = createReconnect(connection);
  const openError = () => new StoreUnavailableError('the store is unavailable (circuit open)');
  const limit = createAdaptiveLimit({
    lateMs: timeoutMs * lateShare,
    // In the driver's options 0 is no limit.
    max: connection.getClient().options.maxPoolSize || Number.POSITIVE_INFINITY,
    overloadError: () => new StoreUnavailableError('the store is overloaded: too many calls waited'),
  });
  limits.set(connection, limit);
  const breaker = createCircuitBreaker({
    isTimeout: isStoreTimeout,
    openError,
    silenceMs: timeoutMs,
    probe: () => ping(connection, timeoutMs).catch(reconnect),
    onChange(isOpen) {
      if (isOpen) {
        limit.rejectWaiting(openError());
        logger.warn('store unavailable: failing requests until it responds');
      } else logger.info('store available again');
    },
  });
  connection.once('close', breaker.stop);
  // Models get their collections from this property.
  Object.defineProperty(connection, 'db', {
    value: guardDatabase(db, { breaker, limit, timeoutMs }),
    writable: true,
    configurable: true,
    enumerable: true,
  });
}

/**
 * Returns a function that replaces the driver's connections and monitors after a failed ping, unless it knows a server:
 * a monitor can wait forever. The driver (7.9) does not notice that it sends a heartbeat over a connection whose socket has just
 * been closed, and waits until the socket accepts data again. It waits without a timeout, so it would not find a server
 * that has been restarted.
 *
 * @returns A function that resolves when a server responds; it throws the error of the ping, or that of connecting.
 */
function createReconnect(connection: Connection): (pingError: unknown) => Promise<void> {
  const client = connection.getClient();
  let isClosed = false;
  connection.once('close', () => {
    isClosed = true;
  });
  return async (pingError) => {
    if (isClosed || connection.readyState === mongoose.ConnectionStates.connected) throw pingError;
    await client.close();
    if (isClosed) throw pingError;
    await client.connect();
    // It may have been closed meanwhile, and the client does not notice that.
    if (isClosed) await client.close();
  };
}

/** Rejects if the store does not respond in time. */
const ping = (connection: Connection, timeoutMs: number): Promise<unknown> =>
  withDeadline(
    connection.getClient().db().command({ ping: 1 }),
    timeoutMs,
    () => new StoreUnavailableError(`the store did not respond within ${timeoutMs} ms`),
  );

/** Connects a service to its database. Indexes are created by `prepareStore`, not on first use. */
export async function connectMongo(options: MongoOptions): Promise<Connection> {
  const { logger } = options;
  const connection = await connectOrFail(
    'MONGO_URL',
    retryWhileUnavailable(startTimeoutMs, () => openConnection(options)),
  );
  connection.on('error', (error) => logger.error({ err: error }, 'MongoDB connection error'));
  connection.on('disconnected', () => logger.warn('lost the connection to MongoDB'));
  connection.on('reconnected', () => logger.info('reconnected to MongoDB'));
  return connection;
}

/** Returns a function that counts the callers waiting for their turn, or for a connection. */
export function countWaiting(connection: Connection): () => number {
  let waiting = 0;
  const client = connection.getClient();
  client.on('connectionCheckOutStarted', () => waiting++);
  for (const end of ['connectionCheckedOut', 'connectionCheckOutFailed'] as const)
    client.on(end, () => waiting--);
  return () => Math.max(0, waiting) + (limits.get(connection)?.waiting() ?? 0);
}

const pingTimeoutMs = 1_000;
const pingCacheMs = 1_000;

/** Whether the store responds; checked at most once a second. */
export function createStoreCheck(connection: Connection): () => Promise<boolean> {
  let lastCheck: { isResponding: Promise<boolean>; until: number } | undefined;

  return () => {
    if (!lastCheck || lastCheck.until < performance.now()) {
      // The cause is logged by the calls that need the store.
      const isResponding = ping(connection, pingTimeoutMs).then(
        () => true,
        () => false,
      );
      lastCheck = { isResponding, until: performance.now() + pingCacheMs };
    }
    return lastCheck.isResponding;
  };
}

/** What a store needs besides its collections and their indexes. */
export interface StorePreparation {
  /** In the order in which they are run; each runs once for a store (`runMigrations`). */
  migrations?: readonly Migration[] | undefined;
  /** Runs at each start, after the migrations, by several processes at the same time. Idempotent. */
  prepare?: (() => Promise<void>) | undefined;
  /** Migrations are logged with it. */
  logger?: Logger | undefined;
  /** Default: the system clock. */
  clock?: Clock | undefined;
  /** How long another process waits for one that was killed while it migrated, in milliseconds. */
  leaseMs?: number | undefined;
  /** The version of the process. Default: its own. */
  version?: string | undefined;
}

/** The start-up step: creates collections and indexes, runs pending migrations, then `prepare`. */
export const prepareStore = (
  connection: Connection,
  { migrations = [], prepare, logger, clock = systemClock, leaseMs, version }: StorePreparation = {},
): Promise<void> =>
  retryWhileUnavailable(prepareTimeoutMs, () =>
    withoutStoreDeadline(async () => {
      await runMigrations(connection, {
        ...{ migrations, logger, clock, leaseMs, version },
        async createIndexes() {
          for (const model of Object.values(connection.models)) await model.createIndexes();
        },
      });
      await prepare?.();
    }),
  );

const minPauseMs = 50;
const maxPauseMs = 5_000;

/**
 * Optimistic concurrency: repeats an attempt that returns undefined on a conflict, until it returns a value. Pauses at random
 * between attempts, so that concurrent writers do not conflict again. The pause grows with the duration of the failed
 * attempt: where writes wait for each other, an immediate retry would make all of them wait again.
 */
export async function retryOnConflict<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const start = performance.now();
    const result = await attempt();
    if (result !== undefined) return result;
    const tookMs = performance.now() - start;
    await sleep(Math.random() * Math.min(maxPauseMs, Math.max(minPauseMs, 2 * tookMs)));
  }
}

/** Repeats a write that may insert documents until none of them is inserted concurrently. The write is idempotent. */
export async function retryInserts(write: () => Promise<unknown>): Promise<void> {
  await retryOnConflict(async () => {
    try {
      await write();
      return true;
    } catch (error) {
      if (isWriteConflict(error)) return undefined;
      throw error;
    }
  });
}

/** Updates or inserts a document; retries if it is inserted concurrently. */
export async function upsert<T extends { _id: unknown }>(
  model: Model<T>,
  filter: QueryFilter<T>,
  update: UpdateQuery<T>,
): Promise<void> {
  await retryInserts(() => model.updateOne(filter, update, { upsert: true }));
}

/**
 * Inserts documents in order, in one command, until the store rejects one.
 *
 * @returns How many were inserted, and the error of the next one.
 * @throws Other errors, such as an unavailable store; some documents may be inserted then.
 */
export async function insertOrdered<T>(
  model: Model<T>,
  documents: object[],
): Promise<{ inserted: number; error?: unknown }> {
  try {
    // Without mongoose, which would create and validate a document for each.
    await model.collection.insertMany(documents, { ordered: true, ignoreUndefined: true });
    return { inserted: documents.length };
  } catch (error) {
    if (error instanceof mongoose.mongo.MongoBulkWriteError) return { inserted: error.insertedCount, error };
    throw error;
  }
}
