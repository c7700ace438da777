import { connectRedis } from '@wayquest/platform/redis';
import type { Logger } from '@wayquest/platform/telemetry';
import { Redis } from 'ioredis';

/** A message on a channel. */
export interface ChannelMessage {
  channel: string;
  text: string;
}

/** Connects the nodes through Redis (sharded publish/subscribe). */
export interface RedisAdapter {
  redis: Redis;
  /** Prefix of keys and channels. */
  prefix: string;
  ready(): boolean;
  /** Resolves when Redis has accepted all messages; rejects if it possibly has not. */
  publish(messages: ChannelMessage[]): Promise<void>;
  /** Subscribes to a channel until `unsubscribe`; active once `subscribed` resolves. Several callers share one subscription. */
  subscribe(channel: string): { subscribed: Promise<void>; unsubscribe(): void };
  /** Messages on the subscribed channels. */
  onMessage(listener: (text: string) => void): void;
  /** Called after Redis was unavailable: messages of other nodes may have been missed. */
  onReconnect(listener: () => void): void;
  close(): void;
}

const pingEveryMs = 5_000;
const socketTimeoutMs = 12_000;

/** Connects to Redis, once for publishing and once for subscriptions. */
export function connectRedisAdapter(
  url: string,
  { logger, prefix }: { logger: Logger; prefix: string },
): RedisAdapter {
  const redis = connectRedis(url, logger);
  const subscriber = new Redis(url, { maxRetriesPerRequest: null, socketTimeout: socketTimeoutMs });
  subscriber.on('error', (error) => logger.warn({ err: error }, 'Redis error'));
  let listener = () => {};
  const subscriptions = new Map<string, { listeners: number; subscribed: Promise<void> }>();
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

  const fullName = (channel: string) => `${prefix}:${channel}`;

  /** While Redis is unavailable; all subscriptions are renewed when it is back. */
  const warn = (error: unknown) => logger.warn({ err: error }, 'could not subscribe to a channel');

  return {
    redis,
    prefix,
    ready,
    async publish(messages) {
      const pipeline = redis.pipeline();
      for (const { channel, text } of messages) pipeline.spublish(fullName(channel), text);
      for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
    },
    subscribe(channel) {
      const name = fullName(channel);
      const subscription = subscriptions.get(channel) ?? {
        listeners: 0,
        subscribed: subscriber.ssubscribe(name).then(() => {}, warn),
      };
      subscription.listeners += 1;
      subscriptions.set(channel, subscription);
      return {
        subscribed: subscription.subscribed,
        unsubscribe() {
          subscription.listeners -= 1;
          if (subscription.listeners > 0) return;
          subscriptions.delete(channel);
          subscriber.sunsubscribe(name).catch(warn);
        },
      };
    },
    onMessage(given) {
      subscriber.on('smessage', (_, text: string) => given(text));
    },
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
