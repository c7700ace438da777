import { Redis } from 'ioredis';
import { productionTimeouts } from '../process/timeouts.ts';
import type { Logger } from '../telemetry/logging.ts';

/**
 * A Redis client that reconnects by itself; its errors are logged, never thrown into the process. A command that has no
 * answer within the timeout fails, and those behind it on the connection fail with it.
 */
export function connectRedis(
  url: string,
  logger: Logger,
  { keyPrefix = '', commandMs = productionTimeouts.redisCommandMs } = {},
): Redis {
  const redis = new Redis(url, {
    keyPrefix,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    lazyConnect: false,
    connectTimeout: 2_000,
    commandTimeout: commandMs,
    socketTimeout: commandMs,
  });
  redis.on('error', (error) => logger.warn({ err: error }, 'Redis failed'));
  return redis;
}
