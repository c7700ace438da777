import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Event, ServiceName } from '@wayquest/contracts';
import type { ConfirmChannel, ConsumeMessage, GetMessage } from 'amqplib';
import { startPeriodicTask } from '../async/periodic-task.ts';
import { BusUnavailableError } from '../core/unavailable.ts';
import type { Logger } from '../telemetry/logging.ts';
import { metrics } from '../telemetry/metrics.ts';
import {
  type AnyEventHandlers,
  type EventBus,
  type EventFilter,
  eventToContract,
  handleEvent,
  parseEvent,
  type SubscribeOptions,
  subscribersOf,
} from './event-bus.ts';
import { type ActiveConnection, openManagedConnection } from './managed-connection.ts';
import { openPublisher, type Publisher } from './rabbitmq-publisher.ts';
import {
  declareQueues,
  declareTopology,
  queuesByUse,
  type TopologyNames,
  topologyNames,
} from './rabbitmq-topology.ts';
import {
  type ConsumerBackoff,
  createConsumerBackoff,
  decideRetry,
  jitteredBackoff,
  reasonOf,
  storeDeadLetter,
} from './retry-policy.ts';

/** Headers: number of failed attempts, and the last error. */
export const attemptHeader = 'x-wayquest-attempt';
export const reasonHeader = 'x-wayquest-reason';

/** A quorum queue reaches its maximum throughput with 100–300 unacknowledged messages; with 1 it would stall. */
const prefetch = 200;

/** Interval for counting the messages in the broker. */
const countEveryMs = 15_000;

/** Back-off between attempts to requeue a failed delivery. */
const minBackoffMs = 500;
const maxBackoffMs = 15_000;

export interface RabbitMqOptions {
  url: string;
  logger: Logger;
  /** Prefix of the queues, so that several installations can share a broker. */
  prefix?: string;
  /** Attempts of the first connect; by default a few. */
  firstAttempts?: number | undefined;
}

/** A service that consumes its events here. */
interface Subscriber extends SubscribeOptions {
  service: ServiceName;
  handlers: AnyEventHandlers;
  backoff: ConsumerBackoff;
  /** Set while it is paused because a dependency is unavailable. */
  resumeTimer?: NodeJS.Timeout | undefined;
  /** Its consumer tag and channel. */
  consumer?: { tag: string; channel: ConfirmChannel } | undefined;
  active: number;
  closed: boolean;
  /**
   * The oldest ready message arrived after this time: the queue was empty then, or earlier events have been handled.
   */
  queueAgeSince: number;
}

const attemptOf = (message: ConsumeMessage) => Number(message.properties.headers?.[attemptHeader] ?? 0);

/** Returns the event in a message; undefined if it is invalid. */
function eventIn(content: Buffer): Event | undefined {
  try {
    return parseEvent(JSON.parse(content.toString()));
  } catch {
    return undefined;
  }
}

/** Creates the search for dead letters to erase. */
function createDeadLetterEraser(publisher: Publisher, names: TopologyNames): EventBus['eraseDeadLetters'] {
  /**
   * Moves a letter to the end of its queue: requeuing would count as a delivery, which the broker limits. If that fails, it is
   * requeued; unacknowledged, no later search would find it until the connection closes.
   */
  const keep = async (channel: ConfirmChannel, queue: string, message: GetMessage) => {
    const { messageId, type = '', headers = {} } = message.properties;
    try {
      await publisher.send(queue, message.content, { messageId, type, headers });
    } catch (error) {
      channel.nack(message);
      throw error;
    }
    channel.ack(message);
  };

  /** Returns the letters that were kept. */
  const eraseOnce = async (service: ServiceName, filter: EventFilter): Promise<Event[]> => {
    const channel = publisher.activeConnection()?.channel;
    if (!channel)
      throw new BusUnavailableError('dead letters cannot be searched: no connection to the broker');
    const queue = names.deadQueue(service);
    const kept: Event[] = [];
    const messageCount = (await declareQueues(channel, names, service)).get(queue) ?? 0;
    for (let n = 0; n < messageCount; n++) {
      const message = await channel.get(queue);
      if (!message) break;
      const event = eventIn(message.content);
      let isErased = false;
      try {
        isErased = event !== undefined && (await filter(event));
      } finally {
        if (isErased) channel.ack(message);
        else await keep(channel, queue, message);
      }
      if (event && !isErased) kept.push(event);
    }
    return kept;
  };

  const eraseAll: EventBus['eraseDeadLetters'] = async (service, filter) => {
    // A concurrent search misses the letters that this one holds: they are checked again once they are back.
    for (const event of await eraseOnce(service, filter))
      if (await filter(event)) return eraseAll(service, filter);
  };

  let lastSearch = Promise.resolve();
  /** One after the other: a concurrent search would not find the letter that the other one is checking. */
  return (service, filter) => {
    const done = lastSearch.then(() => eraseAll(service, filter));
    lastSearch = done.catch(() => {});
    return done;
  };
}

/** Counts the messages in the queues of services, and how old the oldest ready one can be. */
async function countMessages(
  channel: ConfirmChannel,
  names: TopologyNames,
  subscribers: ReadonlyMap<ServiceName, Subscriber>,
): Promise<void> {
  for (const [service, subscriber] of subscribers) {
    const messageCounts = await declareQueues(channel, names, service);
    for (const [state, queues] of Object.entries(queuesByUse(names, service))) {
      const count = queues.reduce((sum, queue) => sum + (messageCounts.get(queue) ?? 0), 0);
      metrics.busQueueMessages.set({ service, state }, count);
      if (state !== 'ready') continue;
      if (count === 0) subscriber.queueAgeSince = Date.now();
      metrics.busOldestMessageAge.set({ service }, count && (Date.now() - subscriber.queueAgeSince) / 1_000);
    }
  }
}

/** The bus on RabbitMQ: publisher confirms, competing consumers, bounded retries, dead-letter queues, reconnecting. */
export async function connectRabbitMq({
  url,
  logger,
  prefix,
  firstAttempts,
}: RabbitMqOptions): Promise<EventBus> {
  const names = topologyNames(prefix);
  const subscribers = new Map<ServiceName, Subscriber>();
  /** The connection of the consumers, also while they are being started. */
  let connection: ActiveConnection | undefined;

  const countConsumers = ({ service, consumer }: Subscriber) =>
    metrics.busConsumers.set({ service }, consumer ? 1 : 0);

  const consume = async (subscriber: Subscriber) => {
    const { service, resumeTimer, closed } = subscriber;
    if (!connection || resumeTimer || closed || subscriber.consumer?.channel === connection.channel) return;
    const { channel, fail } = connection;
    const tag = randomUUID();
    subscriber.consumer = { tag, channel };
    try {
      await channel.consume(
        names.queue(service),
        (message) => {
          if (message) void receive(subscriber, channel, message);
          else fail(new Error(`the broker canceled the consumer of ${names.queue(service)}`));
        },
        { consumerTag: tag },
      );
      countConsumers(subscriber);
    } catch (error) {
      fail(new Error(`could not consume the events of ${service}`, { cause: error }));
    }
  };

  const stopConsuming = async (subscriber: Subscriber) => {
    const { consumer } = subscriber;
    subscriber.consumer = undefined;
    countConsumers(subscriber);
    // On a closed channel there is nothing to cancel.
    if (consumer && consumer.channel === connection?.channel) {
      await consumer.channel.cancel(consumer.tag).catch(() => {});
    }
  };

  const pause = (subscriber: Subscriber, error: unknown) => {
    if (subscriber.resumeTimer || subscriber.closed) return;
    const pauseMs = Math.round(subscriber.backoff.next());
    logger.warn(
      { err: error, service: subscriber.service, pauseMs },
      'dependency unavailable; pausing consumer',
    );
    subscriber.resumeTimer = setTimeout(() => {
      subscriber.resumeTimer = undefined;
      void consume(subscriber);
    }, pauseMs);
    void stopConsuming(subscriber);
  };

  const handle = async (subscriber: Subscriber, message: ConsumeMessage) => {
    const { service, handlers } = subscriber;
    const event = parseEvent(JSON.parse(message.content.toString()));
    await handleEvent({ service, handlers, event, logger });
    subscriber.queueAgeSince = Math.max(subscriber.queueAgeSince, Date.parse(event.occurredAt));
  };

  /** Returns a function that moves a failed delivery to a retry queue or to the dead letters. */
  const retryOrDeadLetter = (subscriber: Subscriber, message: ConsumeMessage, error: unknown) => {
    const { service } = subscriber;
    const { properties, fields, content } = message;
    const { outcome, attempt, delayMs } = decideRetry(error, attemptOf(message));
    const event = properties.type ?? fields.routingKey;
    const parsedEvent = eventIn(content);
    metrics.eventsHandled.inc({ service, event, outcome });
    if (outcome === 'deferred') pause(subscriber, error);
    else {
      logger.error(
        {
          err: error,
          event,
          eventId: properties.messageId,
          requestId: parsedEvent?.requestId,
          attempt,
          service,
          outcome,
        },
        'could not handle an event',
      );
    }
    const target = outcome === 'dead' ? names.deadQueue(service) : names.retryQueue(service, delayMs);
    const headers = { [attemptHeader]: attempt, [reasonHeader]: reasonOf(error) };
    const send = () =>
      publisher.send(target, content, { messageId: properties.messageId, type: event, headers });
    if (outcome !== 'dead' || !parsedEvent) return send;
    return () =>
      storeDeadLetter({
        ...{ event: parsedEvent, isErased: subscriber.isErased },
        store: send,
        erase: (filter) => eraseDeadLetters(service, filter),
      });
  };

  /** Returns whether the delivery can be acknowledged: it was handled, or another queue has it. */
  const processDelivery = async (
    subscriber: Subscriber,
    channel: ConfirmChannel,
    message: ConsumeMessage,
  ) => {
    try {
      await handle(subscriber, message);
      return true;
    } catch (error) {
      const requeue = retryOrDeadLetter(subscriber, message, error);
      for (let failures = 0; channel === connection?.channel; failures++) {
        try {
          await requeue();
          return true;
        } catch (requeueError) {
          logger.warn({ err: requeueError, service: subscriber.service }, 'could not requeue a delivery');
          if (subscriber.closed) return false;
          await sleep(jitteredBackoff(failures, minBackoffMs, maxBackoffMs));
        }
      }
      return false;
    }
  };

  const receive = async (subscriber: Subscriber, channel: ConfirmChannel, message: ConsumeMessage) => {
    subscriber.active++;
    try {
      const done = await processDelivery(subscriber, channel, message);
      // The broker redelivers messages of a closed channel.
      if (channel !== connection?.channel) return;
      if (done) channel.ack(message);
      else channel.nack(message);
    } catch (error) {
      logger.warn(
        { err: error, service: subscriber.service },
        'a delivery was not acknowledged and will be redelivered',
      );
    } finally {
      subscriber.active--;
    }
  };

  const publisher = await openPublisher({ url, names, logger, firstAttempts });
  const eraseDeadLetters = createDeadLetterEraser(publisher, names);
  const consumerConnection = await openManagedConnection({
    url,
    name: 'consuming',
    logger,
    firstAttempts,
    async setup(opened) {
      await declareTopology(opened.channel, names);
      await opened.channel.prefetch(prefetch);
      connection = opened;
      for (const subscriber of subscribers.values()) await consume(subscriber);
    },
    onLost() {
      connection = undefined;
      for (const subscriber of subscribers.values()) void stopConsuming(subscriber);
    },
  }).catch(async (error) => {
    await publisher.close();
    throw error;
  });

  const countWaiting = async () => {
    const channel = publisher.activeConnection()?.channel;
    if (channel) await countMessages(channel, names, subscribers);
  };
  // While the broker is unavailable nothing can be counted; other metrics report it.
  const countTask = startPeriodicTask(countEveryMs, () => countWaiting().catch(() => {}));

  return {
    async publish(event, { to } = {}) {
      const current = eventToContract(event);
      const content = Buffer.from(JSON.stringify(current));
      // Directly to each subscriber's queue, so that a missing queue is noticed.
      const sent = await Promise.allSettled(
        (to ? [to] : subscribersOf(current.name)).map((service) =>
          publisher.send(names.queue(service), content, { messageId: event.id, type: current.name }),
        ),
      );
      const failed = sent.find((result) => result.status === 'rejected');
      if (failed)
        throw new BusUnavailableError(`${event.name} did not reach every queue`, { cause: failed.reason });
      metrics.eventsPublished.inc({ event: event.name });
    },
    async subscribe(service, handlers, options) {
      const subscriber: Subscriber = {
        ...options,
        service,
        handlers,
        backoff: createConsumerBackoff(),
        active: 0,
        closed: false,
        queueAgeSince: Date.now(),
      };
      subscribers.set(service, subscriber);
      await consume(subscriber);
      void countWaiting().catch(() => {});
      return {
        async close() {
          subscriber.closed = true;
          subscribers.delete(service);
          clearTimeout(subscriber.resumeTimer);
          await stopConsuming(subscriber);
          while (subscriber.active > 0) await sleep(20);
        },
      };
    },
    eraseDeadLetters,
    ready: () => publisher.ready() && consumerConnection.active() !== undefined,
    async idle() {
      const isHandling = () => [...subscribers.values()].some((subscriber) => subscriber.active > 0);
      const channel = publisher.activeConnection()?.channel;
      if (isHandling() || !channel) return false;
      for (const service of subscribers.keys()) {
        const messageCounts = await declareQueues(channel, names, service);
        messageCounts.delete(names.deadQueue(service));
        if ([...messageCounts.values()].some((count) => count > 0)) return false;
      }
      // Messages may be in transit from a queue. The response to a request on the same channel arrives after them.
      await consumerConnection.active()?.channel.prefetch(prefetch);
      return !isHandling();
    },
    async close() {
      // Without waiting for it, since the broker may not respond.
      void countTask.stop();
      await consumerConnection.close();
      await publisher.close();
    },
  };
}
