import { randomUUID } from 'node:crypto';
import { type EventName, type ServiceName, subscriptions } from '@wayquest/contracts';
import {
  type Channel,
  type ConfirmChannel,
  type ConsumeMessage,
  connect,
  type RecoveringChannelModel,
} from 'amqplib';
import { type AnyConsumers, dispatch, type EventBus, parseEvent } from './event-bus.ts';
import type { Logger } from './logging.ts';
import { metrics } from './metrics.ts';
import { requestContext } from './request-context.ts';

/** How long a delivery that failed waits before it is tried again; after the last it is dead. */
export const retryDelays = [1_000, 5_000, 30_000, 120_000] as const;

/** How often a delivery has failed, and why the last time. */
export const attemptHeader = 'x-wayquest-attempt';
export const reasonHeader = 'x-wayquest-reason';

/** With 100–300 messages in hand a quorum queue runs at its full speed; 1 would stall it. */
const prefetch = 200;

export interface RabbitMqOptions {
  url: string;
  logger: Logger;
  /** Names exchange and queues, so that several installations can share a broker. */
  prefix?: string;
}

export const topologyNames = (prefix = 'wayquest') => ({
  exchange: `${prefix}.events`,
  queue: (service: ServiceName) => `${prefix}.${service}`,
  retryQueue: (service: ServiceName, delay: number) => `${prefix}.${service}.retry-${delay}`,
  deadQueue: (service: ServiceName) => `${prefix}.${service}.dead`,
});
type Names = ReturnType<typeof topologyNames>;

/**
 * Declares everything for every service, so that no event is lost for want of a queue, whoever starts first:
 * a durable quorum queue a service, its queues for waiting retries, its dead-letter queue.
 */
export async function declareTopology(channel: Channel, names: Names): Promise<void> {
  const quorum = { 'x-queue-type': 'quorum' };
  // Handing a message on to another queue is confirmed as well: the default would lose it in a broker's crash.
  const handingOnTo = (queue: string) => ({
    'x-dead-letter-exchange': '',
    'x-dead-letter-routing-key': queue,
    'x-dead-letter-strategy': 'at-least-once',
    'x-overflow': 'reject-publish',
  });
  await channel.assertExchange(names.exchange, 'topic', { durable: true });
  for (const service of Object.keys(subscriptions) as ServiceName[]) {
    const queue = names.queue(service);
    const deadQueue = names.deadQueue(service);
    await channel.assertQueue(deadQueue, { durable: true, arguments: quorum });
    await channel.assertQueue(queue, { durable: true, arguments: { ...quorum, ...handingOnTo(deadQueue) } });
    for (const delay of retryDelays) {
      await channel.assertQueue(names.retryQueue(service, delay), {
        durable: true,
        arguments: { ...quorum, ...handingOnTo(queue), 'x-message-ttl': delay },
      });
    }
    for (const event of subscriptions[service]) await channel.bindQueue(queue, names.exchange, event);
  }
}

/** Sends on a confirm channel; resolves when the broker has the message. */
export const confirmed = (send: (callback: (error: unknown) => void) => void) =>
  new Promise<void>((resolve, reject) => {
    send((error) => (error ? reject(error) : resolve()));
  });

const attemptOf = (message: ConsumeMessage) => Number(message.properties.headers?.[attemptHeader] ?? 0);

/** The bus on RabbitMQ: publisher confirms, competing consumers, bounded retries, dead-letter queues, reconnecting. */
export async function connectRabbitMq({ url, logger, prefix }: RabbitMqOptions): Promise<EventBus> {
  const names = topologyNames(prefix);
  const subscribed = new Map<ServiceName, { consumers: AnyConsumers; tag?: string }>();
  let publishing: ConfirmChannel | undefined;
  let consuming: ConfirmChannel | undefined;
  let inHand = 0;

  const open = async (
    setup: (connection: RecoveringChannelModelSetup) => Promise<void>,
    forget: () => void,
  ) => {
    const connection = await connect(url, {
      noDelay: true,
      recovery: { initialDelay: 200, maxDelay: 5_000, initialMaxRetries: 10, setup },
    });
    connection.on('disconnect', (error) => {
      forget();
      logger.warn({ err: error }, 'the event bus went away');
    });
    connection.on('connect', () => logger.info('the event bus is connected'));
    connection.on('error', (error) => logger.error({ err: error }, 'the event bus failed'));
    return connection;
  };

  const giveBack = async (
    service: ServiceName,
    message: ConsumeMessage,
    channel: ConfirmChannel,
    error: unknown,
  ) => {
    const attempt = attemptOf(message);
    const delay = retryDelays[attempt];
    const dead = delay === undefined || error instanceof SyntaxError;
    const target = dead ? names.deadQueue(service) : names.retryQueue(service, delay);
    const outcome = dead ? 'dead' : 'retried';
    metrics.eventsHandled.inc({ service, event: message.fields.routingKey, outcome });
    logger.error(
      { err: error, event: message.fields.routingKey, attempt, service, outcome },
      'an event could not be handled',
    );
    await confirmed((callback) =>
      channel.sendToQueue(
        target,
        message.content,
        {
          persistent: true,
          headers: {
            ...message.properties.headers,
            [attemptHeader]: attempt + 1,
            [reasonHeader]: String(error).slice(0, 500),
          },
        },
        callback,
      ),
    );
  };

  const receive = async (
    service: ServiceName,
    consumers: AnyConsumers,
    channel: ConfirmChannel,
    message: ConsumeMessage,
  ) => {
    inHand++;
    try {
      try {
        const event = parseEvent(JSON.parse(message.content.toString()));
        await requestContext.run({ requestId: event.requestId ?? randomUUID() }, () =>
          dispatch(consumers, event),
        );
        metrics.eventsHandled.inc({ service, event: event.name, outcome: 'done' });
      } catch (error) {
        await giveBack(service, message, channel, error);
      }
      channel.ack(message);
    } catch (error) {
      // The channel is gone: what it delivered unacknowledged, the broker delivers again.
      logger.warn({ err: error, service }, 'a delivery could not be settled and will come again');
    } finally {
      inHand--;
    }
  };

  const consume = async (service: ServiceName, channel: ConfirmChannel) => {
    const subscription = subscribed.get(service);
    if (!subscription) return;
    const { consumerTag } = await channel.consume(names.queue(service), (message) => {
      if (message) void receive(service, subscription.consumers, channel, message);
    });
    subscription.tag = consumerTag;
  };

  const watch = (channel: ConfirmChannel) => {
    channel.on('error', (error) => logger.error({ err: error }, 'a channel of the event bus failed'));
    return channel;
  };

  const publisher = await open(
    async (connection) => {
      const channel = watch(await connection.createConfirmChannel());
      await declareTopology(channel, names);
      publishing = channel;
    },
    () => {
      publishing = undefined;
    },
  );
  const consumer = await open(
    async (connection) => {
      const channel = watch(await connection.createConfirmChannel());
      await channel.prefetch(prefetch);
      for (const service of subscribed.keys()) await consume(service, channel);
      consuming = channel;
    },
    () => {
      consuming = undefined;
    },
  );

  const waiting = async (service: ServiceName) => {
    let count = 0;
    for (const queue of [
      names.queue(service),
      ...retryDelays.map((delay) => names.retryQueue(service, delay)),
    ]) {
      count += (await publishing?.checkQueue(queue))?.messageCount ?? 1;
    }
    return count;
  };

  return {
    async publish(event, { to } = {}) {
      const channel = publishing;
      if (!channel) throw new Error('the event bus is not connected');
      await confirmed((callback) =>
        channel.publish(
          // The exchange without a name leads straight to a queue.
          to ? '' : names.exchange,
          to ? names.queue(to) : (event.name satisfies EventName),
          Buffer.from(JSON.stringify(event)),
          { persistent: true, messageId: event.id, contentType: 'application/json' },
          callback,
        ),
      );
      metrics.eventsPublished.inc({ event: event.name });
    },
    async subscribe(service, consumers) {
      subscribed.set(service, { consumers });
      if (consuming) await consume(service, consuming);
      return {
        async close() {
          const tag = subscribed.get(service)?.tag;
          subscribed.delete(service);
          if (tag) await consuming?.cancel(tag);
          while (inHand > 0) await new Promise((resolve) => setTimeout(resolve, 20));
        },
      };
    },
    ready: () => publishing !== undefined && consuming !== undefined,
    async idle() {
      if (inHand > 0) return false;
      for (const service of subscribed.keys()) if ((await waiting(service)) > 0) return false;
      return inHand === 0;
    },
    async close() {
      await consumer.close();
      await publisher.close();
    },
  };
}

type RecoveringChannelModelSetup = Pick<RecoveringChannelModel, 'createConfirmChannel'>;
