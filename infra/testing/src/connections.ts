import type { ServiceName } from '@wayquest/contracts';
import { connectRedis, type Redis } from '@wayquest/platform/redis';
import type { ServiceDeps } from '@wayquest/platform/service';
import { connectMongo } from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import type { Connection } from 'mongoose';
import { eventually } from './eventually.ts';
import type { Network } from './network/network.ts';
import { longTimeouts } from './network/settings.ts';
import { storeUrl } from './store.ts';
import { testKeys } from './tokens.ts';

const silentLogger = createLogger({ name: 'test', level: 'silent' });

/** Connects to a database with long timeouts; by default on the store of this test file, without logs. */
export const connectTestStore = (
  database: string,
  { url = storeUrl(), logger = silentLogger } = {},
): Promise<Connection> => connectMongo({ url, database, logger, timeouts: longTimeouts });

/** Connects to the database of a service of a network, with long timeouts. */
export const connectServiceStore = (
  { mongoUrl: url, databasePrefix, logger }: Network,
  service: ServiceName,
): Promise<Connection> => connectTestStore(`${databasePrefix}_${service}`, { url, logger });

/** Gives a test access to the database of a service of a network, with long timeouts. */
export async function withServiceStore<T>(
  network: Network,
  service: ServiceName,
  work: (store: Connection) => Promise<T>,
): Promise<T> {
  const store = await connectServiceStore(network, service);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/**
 * Connects to Redis with long timeouts; by default without logs. Resolves when the connection is ready; if it does not
 * become ready, it is closed.
 */
export async function connectTestRedis(url: string, logger = silentLogger): Promise<Redis> {
  const redis = connectRedis(url, logger, { commandMs: longTimeouts.redisCommandMs });
  try {
    await eventually(() => redis.status === 'ready');
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  return redis;
}

/**
 * Adds what every service needs to start in a test: a free port, the key of `signToken`, long timeouts, and by default
 * the store of this test file.
 */
export const testServiceDeps = <T extends Pick<ServiceDeps, 'logger' | 'bus' | 'databasePrefix'>>(
  deps: T,
) => ({
  mongoUrl: storeUrl(),
  publicKey: testKeys().publicKey,
  port: 0,
  timeouts: longTimeouts,
  ...deps,
});
