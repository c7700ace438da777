import { once } from 'node:events';
import { type Clock, startPeriodicTask } from '@wayquest/platform/async';
import { connectRedis } from '@wayquest/platform/redis';
import type { Logger } from '@wayquest/platform/telemetry';
import mongoose from 'mongoose';
import { Gauge } from 'prom-client';
import { z } from 'zod';

const storeDisk = new Gauge({
  name: 'wayquest_store_disk_bytes',
  help: 'The file system of the store, as the store reports it',
  labelNames: ['state'],
});
const storeConnections = new Gauge({
  name: 'wayquest_store_connections',
  help: 'Connections of the store to all of its clients',
  labelNames: ['state'],
});
const redisMemory = new Gauge({
  name: 'wayquest_redis_memory_bytes',
  help: 'Memory of Redis, which refuses writes when it has used the maximum',
  labelNames: ['state'],
});

const everyMs = 30_000;

/** Code of an error. */
const commandNotFound = 59;

/** What `dbStats` says of the file system. Other servers that speak MongoDB's protocol may not say it. */
const fileSystem = z.object({ fsUsedSize: z.number(), fsTotalSize: z.number().positive() });
const serverStatus = z.object({ connections: z.object({ current: z.number(), available: z.number() }) });
const memoryInfo = z
  .string()
  .transform((text) => Object.fromEntries(text.split('\r\n').map((line) => line.split(':'))))
  .pipe(z.object({ used_memory: z.coerce.number(), maxmemory: z.coerce.number() }));

export interface WatchedStores {
  /** URL of MongoDB, of a user who may read the state of the server. */
  mongoUrl: string;
  /** URL of Redis; undefined without one. */
  redisUrl: string | undefined;
  /** Prefix of the databases. */
  installation: string;
  logger: Logger;
  clock: Clock;
}

/**
 * Reports twice a minute how full MongoDB's disk and Redis are. Exporters would do that too, but that of MongoDB accepts its
 * password by an argument or an environment variable only, not in a file. What cannot be read is logged, and has no metric.
 *
 * @returns A function that stops it.
 */
export function startStoreMetrics({
  mongoUrl,
  redisUrl,
  installation,
  logger,
  clock,
}: WatchedStores): () => Promise<void> {
  // Connects when it is used, and again after failures.
  const mongo = new mongoose.mongo.MongoClient(mongoUrl, { maxPoolSize: 1, serverSelectionTimeoutMS: 5_000 });
  const redis = redisUrl === undefined ? undefined : connectRedis(redisUrl, logger);

  /** The answer to a command; undefined from a server that does not know it. */
  const answerOf = (database: string, command: Record<string, number>) =>
    mongo
      .db(database)
      .command(command)
      .catch((error: unknown) => {
        if (error instanceof mongoose.mongo.MongoServerError && error.code === commandNotFound)
          return undefined;
        throw error;
      });
  const readMongo = async (): Promise<void> => {
    // A database that exists: of others it reports no file system.
    const stats = fileSystem.safeParse(await answerOf(`${installation}_auth`, { dbStats: 1 }));
    if (stats.success) {
      storeDisk.set({ state: 'used' }, stats.data.fsUsedSize);
      storeDisk.set({ state: 'total' }, stats.data.fsTotalSize);
    }
    const status = serverStatus.safeParse(await answerOf('admin', { serverStatus: 1 }));
    if (status.success) {
      storeConnections.set({ state: 'open' }, status.data.connections.current);
      storeConnections.set({ state: 'available' }, status.data.connections.available);
    }
  };
  const readRedis = async (): Promise<void> => {
    if (!redis) return;
    if (redis.status !== 'ready') await once(redis, 'ready');
    const { used_memory, maxmemory } = memoryInfo.parse(await redis.info('memory'));
    redisMemory.set({ state: 'used' }, used_memory);
    redisMemory.set({ state: 'max' }, maxmemory);
  };

  const work = async (stopping: AbortSignal): Promise<void> => {
    const report = async (read: () => Promise<void>, ...gauges: Gauge[]) => {
      try {
        await read();
      } catch (error) {
        for (const gauge of gauges) gauge.reset();
        if (!stopping.aborted) logger.warn({ err: error }, 'the state of a store cannot be read');
      }
    };
    await Promise.all([report(readMongo, storeDisk, storeConnections), report(readRedis, redisMemory)]);
  };
  const task = startPeriodicTask(everyMs, work, { clock });
  return async () => {
    await task.stop();
    redis?.disconnect();
    await mongo.close();
  };
}
