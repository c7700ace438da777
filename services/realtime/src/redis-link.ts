import { connectRedis } from '@wayquest/platform/redis';
import type { Logger } from '@wayquest/platform/telemetry';
import { Redis } from 'ioredis';

/** Something that is told on a channel. */
export interface Letter {
  channel: string;
  text: string;
}

/** What ties the nodes together. */
export interface RedisLink {
  redis: Redis;
  /** Before the names of keys and channels. */
  prefix: string;
  ready(): boolean;
  /** Resolves when Redis has taken all of it; rejects when it may not have. */
  tell(letters: Letter[]): Promise<void>;
  /** Hears what is told on a channel until `end`, from when `heard` resolves. Several share a subscription. */
  hear(channel: string): { heard: Promise<void>; end(): void };
  /** What is told on the channels that are heard. */
  onLetter(listener: (text: string) => void): void;
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
  hearing.on('error', (error) => logger.warn({ err: error }, 'Redis error'));
  let listener = () => {};
  const heardChannels = new Map<string, { listeners: number; heard: Promise<void> }>();
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
      logger.warn({ err: error }, 'lost the connection to Redis');
    }
  };
  for (const connection of [redis, hearing]) connection.on('close', onClose).on('ready', onReady);

  // Finds out that a connection died without a word, by the silence that follows.
  const pinging = setInterval(() => {
    if (hearing.status === 'ready') hearing.ping().catch(() => {});
  }, pingEveryMs);

  const full = (channel: string) => `${prefix}:${channel}`;

  /** Until Redis is back, if it is away; then they are all asked for again. */
  const warn = (error: unknown) => logger.warn({ err: error }, 'could not subscribe to a channel');

  return {
    redis,
    prefix,
    ready,
    async tell(letters) {
      const pipeline = redis.pipeline();
      for (const { channel, text } of letters) pipeline.spublish(full(channel), text);
      for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
    },
    hear(channel) {
      const name = full(channel);
      const known = heardChannels.get(channel) ?? {
        listeners: 0,
        heard: hearing.ssubscribe(name).then(() => {}, warn),
      };
      known.listeners += 1;
      heardChannels.set(channel, known);
      return {
        heard: known.heard,
        end() {
          known.listeners -= 1;
          if (known.listeners > 0) return;
          heardChannels.delete(channel);
          hearing.sunsubscribe(name).catch(warn);
        },
      };
    },
    onLetter(given) {
      hearing.on('smessage', (_, text: string) => given(text));
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
