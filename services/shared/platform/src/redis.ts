import { Redis } from 'ioredis';
import type { Logger } from './logging.ts';

/** A Redis client that reconnects by itself; its errors are logged, never thrown into the process. */
export function connectRedis(url: string, logger: Logger): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, enableOfflineQueue: false, lazyConnect: false });
  redis.on('error', (error) => logger.warn({ err: error }, 'Redis failed'));
  return redis;
}
