import { createAdapter } from '@socket.io/redis-adapter';
import { connectRedis } from '@wayquest/platform/redis';
import type { Logger } from '@wayquest/platform/telemetry';
import { Redis } from 'ioredis';

/** What ties the nodes together. */
export interface RedisLink {
  redis: Redis;
  adapter: ReturnType<typeof createAdapter>;
  /** Before the names of keys and channels. */
  prefix: string;
  ready(): boolean;
  /** Resolves when Redis has taken all that was published before; rejects when it may not have. */
  confirm(): Promise<void>;
  /** After a time without Redis, in which this node may have missed what the others told it. */
  onReturn(listener: () => void): void;
  close(): void;
}

const pingEveryMs = 5_000;
const silenceMs = 12_000;

/** Connects to Redis, once for publishing and once for hearing. */
export function connectRedisLink(
  url: string,
  { logger, prefix }: { logger: Logger; prefix: string },
): RedisLink {
  const redis = connectRedis(url, logger);
  const hearing = new Redis(url, { maxRetriesPerRequest: null, socketTimeout: silenceMs });
  hearing.on('error', (error) => logger.warn({ err: error }, 'Redis failed'));
  let listener = () => {};
  let away = false;

  const ready = () => redis.status === 'ready' && hearing.status === 'ready';
  const onClose = () => {
    away = true;
  };
  const onReady = async () => {
    if (!away || !ready()) return;
    try {
      // Behind the subscriptions, which are renewed first.
      await hearing.ping();
      away = false;
      listener();
    } catch (error) {
      logger.warn({ err: error }, 'Redis went away again');
    }
  };
  for (const connection of [redis, hearing]) connection.on('close', onClose).on('ready', onReady);

  // Finds out that a connection died without a word, by the silence that follows.
  const pinging = setInterval(() => {
    if (hearing.status === 'ready') hearing.ping().catch(() => {});
  }, pingEveryMs);

  // The adapter does not look at what becomes of its publishing; `confirm` does.
  const publisher = {
    publish: (channel: string, message: string | Buffer) => redis.publish(channel, message).catch(() => 0),
    on: redis.on.bind(redis),
    off: redis.off.bind(redis),
  };

  return {
    redis,
    prefix,
    adapter: createAdapter(publisher, hearing, { key: `${prefix}:socket.io` }),
    ready,
    async confirm() {
      await redis.ping();
    },
    onReturn(given) {
      listener = given;
    },
    close() {
      clearInterval(pinging);
      redis.disconnect();
      hearing.disconnect();
    },
  };
}
