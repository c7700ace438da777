import { Redis } from 'ioredis';
import type { Logger } from '../telemetry/logging.ts';

/** The first command that has no answer by then fails; the connection is given up, and those behind it fail at once. */
const answerWithinMs = 500;

/** A Redis client that reconnects by itself; its errors are logged, never thrown into the process. */
export function connectRedis(url: string, logger: Logger, keyPrefix = ''): Redis {
  const redis = new Redis(url, {
    keyPrefix,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    lazyConnect: false,
    connectTimeout: 2_000,
    commandTimeout: answerWithinMs,
    socketTimeout: answerWithinMs,
  });
  redis.on('error', (error) => logger.warn({ err: error }, 'Redis failed'));
  return redis;
}
