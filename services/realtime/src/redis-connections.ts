import { connectRedis } from '@wayquest/platform/redis';
import type { Logger } from '@wayquest/platform/telemetry';
import { Redis } from 'ioredis';

/** A node's connections to Redis. */
export interface RedisConnections {
  /** For everything but subscriptions. */
  redis: Redis;
  subscriber: Redis;
  /** Prefix of keys and channels. */
  prefix: string;
  ready(): boolean;
  /** Called after Redis was unavailable: messages of other nodes may have been missed. */
  onReconnect(listener: () => void): void;
  close(): void;
}

const pingEveryMs = 5_000;
const socketTimeoutMs = 12_000;

/** Connects to Redis, once for publishing and once for subscriptions. */
export function openRedisConnections(
  url: string,
  { logger, prefix }: { logger: Logger; prefix: string },
): RedisConnections {
  // Whoever comes online is announced to each friend: these commands are sent together.
  const redis = connectRedis(url, logger, { enableAutoPipelining: true });
  const subscriber = new Redis(url, { maxRetriesPerRequest: null, socketTimeout: socketTimeoutMs });
  subscriber.on('error', (error) => logger.warn({ err: error }, 'Redis error'));
  let listener = () => {};
  let wasUnavailable = false;

  const ready = () => redis.status === 'ready' && subscriber.status === 'ready';
  const onClose = () => {
    wasUnavailable = true;
  };
  const onReady = async () => {
    if (!wasUnavailable || !ready()) return;
    try {
      // Answered after the subscriptions, which are renewed first.
      await subscriber.ping();
      wasUnavailable = false;
      listener();
    } catch (error) {
      logger.warn({ err: error }, 'lost the connection to Redis');
    }
  };
  for (const connection of [redis, subscriber]) connection.on('close', onClose).on('ready', onReady);

  // Detects a dead connection by the missing response.
  const pingTimer = setInterval(() => {
    if (subscriber.status === 'ready') subscriber.ping().catch(() => {});
  }, pingEveryMs);

  return {
    redis,
    subscriber,
    prefix,
    ready,
    onReconnect(given) {
      listener = given;
    },
    close() {
      clearInterval(pingTimer);
      redis.disconnect();
      subscriber.disconnect();
    },
  };
}
