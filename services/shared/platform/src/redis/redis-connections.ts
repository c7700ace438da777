import type { Redis } from 'ioredis';
import { productionTimeouts, type Timeouts } from '../process/timeouts.ts';
import type { Logger } from '../telemetry/logging.ts';
import { connectRedis } from './redis.ts';

export interface RedisConnections {
  /** The shared connection to a URL; undefined without a URL. */
  connectionTo(url: string | undefined): Redis | undefined;
  close(): void;
}

/** The connections to Redis of a process. */
export function createRedisConnections(
  logger: Logger,
  installation = 'wayquest',
  { redisCommandMs }: Timeouts = productionTimeouts,
): RedisConnections {
  const open = new Map<string, Redis>();
  return {
    connectionTo(url) {
      if (url === undefined) return undefined;
      const redis =
        open.get(url) ??
        connectRedis(url, logger, { keyPrefix: `${installation}:`, commandMs: redisCommandMs });
      open.set(url, redis);
      return redis;
    },
    close() {
      for (const redis of open.values()) redis.disconnect();
    },
  };
}
