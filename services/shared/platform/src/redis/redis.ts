import { Redis } from 'ioredis';
import { withDeadline } from '../process/deadline.ts';
import { productionTimeouts } from '../process/timeouts.ts';
import type { Logger } from '../telemetry/logging.ts';

/** Soon enough for what is there again. */
const maxReconnectMs = 500;

/**
 * A Redis client that reconnects by itself; its errors are logged, never thrown into the process. A command that has no
 * answer within the timeout fails and ends the connection, since Redis answers in order: those behind it would wait in vain
 * too. Until there is a new connection, commands fail at once.
 *
 * @param url - of the Redis
 * @param logger - for errors of the connection
 * @param options - `keyPrefix`: before the name of each key; `commandMs`: how long one command may take, in milliseconds
 * @returns the client, connecting
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
    retryStrategy: (attempt) => Math.min(50 * attempt, maxReconnectMs),
  });
  // The client's own timeouts would fail an answer that has arrived while the process stalled, and is not read yet.
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, ...more) => {
    const { stream } = redis;
    const giveUp = () => {
      const error = new Error('Command timed out');
      command.reject(error);
      stream?.destroy(error);
      return error;
    };
    // The caller of the command gets the error.
    withDeadline(command.promise, commandMs, giveUp).catch(() => {});
    return send(command, ...more);
  };
  redis.on('error', (error) => logger.warn({ err: error }, 'Redis error'));
  return redis;
}
