import { Redis } from 'ioredis';
import { productionTimeouts, type Timeouts, withDeadline } from '../async/deadline.ts';
import type { Logger } from '../telemetry/logging.ts';

/** Maximum back-off between attempts to reconnect. */
const maxReconnectMs = 500;

/**
 * Connects to Redis and reconnects automatically; errors of the connection are only logged. A command without a
 * response within the timeout fails and closes the connection: Redis responds in order, so the commands behind it would
 * wait in vain, too. Until the next connection, commands fail immediately.
 *
 * @param url - URL of Redis.
 * @param logger - For errors of the connection.
 * @param options - `keyPrefix`: prefix of each key; `commandMs`: timeout of a command, in milliseconds;
 * `enableAutoPipelining`: whether commands of the same moment are sent together.
 * @returns The client, which is still connecting.
 */
export function connectRedis(
  url: string,
  logger: Logger,
  { keyPrefix = '', commandMs = productionTimeouts.redisCommandMs, enableAutoPipelining = false } = {},
): Redis {
  const redis = new Redis(url, {
    keyPrefix,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    enableAutoPipelining,
    lazyConnect: false,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(50 * attempt, maxReconnectMs),
  });
  // The client's own timeouts would reject a command whose response arrived during a stall of the process and is still
  // unread.
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, ...rest) => {
    const { stream } = redis;
    const onTimeout = () => {
      const error = new Error('Command timed out');
      command.reject(error);
      stream?.destroy(error);
      return error;
    };
    // The caller of the command gets the error.
    withDeadline(command.promise, commandMs, onTimeout).catch(() => {});
    return send(command, ...rest);
  };
  redis.on('error', (error) => logger.warn({ err: error }, 'Redis error'));
  return redis;
}

export interface RedisConnections {
  /** The shared connection to a URL; undefined without a URL. */
  connectionTo(url: string | undefined): Redis | undefined;
  close(): void;
}

/**
 * The connections to Redis of a process.
 *
 * @param options - `program`: whose keys these are, such as `chat`: its Redis user may use only them; `installation`: the prefix
 * of all keys of an installation.
 */
export function createRedisConnections(
  logger: Logger,
  {
    program,
    installation = 'wayquest',
    timeouts: { redisCommandMs } = productionTimeouts,
  }: { program: string; installation?: string; timeouts?: Timeouts },
): RedisConnections {
  const open = new Map<string, Redis>();
  return {
    connectionTo(url) {
      if (url === undefined) return undefined;
      const redis =
        open.get(url) ??
        connectRedis(url, logger, { keyPrefix: `${installation}:${program}:`, commandMs: redisCommandMs });
      open.set(url, redis);
      return redis;
    },
    close() {
      for (const redis of open.values()) redis.disconnect();
    },
  };
}
