import type { Event, ServiceName } from '@wayquest/contracts';
import type { ConfirmChannel, GetMessage } from 'amqplib';
import { startPeriodicTask } from '../async/periodic-task.ts';
import { BusUnavailableError } from '../core/unavailable.ts';
import type { Logger } from '../telemetry/logging.ts';
import { metrics } from '../telemetry/metrics.ts';
import { type EventBus, type EventFilter, eventToContract, subscribersOf } from './event-bus.ts';
import { type ActiveConnection, openManagedConnection } from './managed-connection.ts';
import { Consumer, eventIn } from './rabbitmq-consumer.ts';
import { openPublisher, type Publisher } from './rabbitmq-publisher.ts';
import {
  declareQueues,
  declareTopology,
  queuesByUse,
  type TopologyNames,
  topologyNames,
} from './rabbitmq-topology.ts';

/** A quorum queue reaches its maximum throughput with 100–300 unacknowledged messages; with 1 it would stall. */
const prefetch = 200;

/** Interval for counting the messages in the broker. */
const countEveryMs = 15_000;

export interface RabbitMqOptions {
  url: string;
  logger: Logger;
  /** Prefix of the queues, so that several installations can share a broker. */
  prefix?: string;
  /** Attempts of the first connect; by default a few. */
  firstAttempts?: number | undefined;
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
  consumers: ReadonlyMap<ServiceName, Consumer>,
): Promise<void> {
  for (const [service, consumer] of consumers) {
    const messageCounts = await declareQueues(channel, names, service);
    for (const [state, queues] of Object.entries(queuesByUse(names, service))) {
      const count = queues.reduce((sum, queue) => sum + (messageCounts.get(queue) ?? 0), 0);
      metrics.busQueueMessages.set({ service, state }, count);
      if (state !== 'ready') continue;
      if (count === 0) consumer.queueAgeSince = Date.now();
      metrics.busOldestMessageAge.set({ service }, count && (Date.now() - consumer.queueAgeSince) / 1_000);
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
  const consumers = new Map<ServiceName, Consumer>();
  /** The connection of the consumers, also while they are being started. */
  let connection: ActiveConnection | undefined;

  const publisher = await openPublisher({ url, names, logger, firstAttempts });
  const eraseDeadLetters = createDeadLetterEraser(publisher, names);
  const consumerConnection = await openManagedConnection({
    url,
    name: 'consuming',
    logger,
    firstAttempts,
    async setup(opened) {
      await declareTopology(opened.connection, names);
      await opened.channel.prefetch(prefetch);
      connection = opened;
      for (const consumer of consumers.values()) await consumer.start(opened);
    },
    onLost() {
      connection = undefined;
      for (const consumer of consumers.values()) consumer.connectionLost();
    },
  }).catch(async (error) => {
    await publisher.close();
    throw error;
  });

  const countWaiting = async () => {
    const channel = publisher.activeConnection()?.channel;
    if (channel) await countMessages(channel, names, consumers);
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
      const consumer = new Consumer({
        ...options,
        ...{ service, handlers, names, publisher, eraseDeadLetters, logger },
      });
      consumers.set(service, consumer);
      await consumer.start(connection);
      void countWaiting().catch(() => {});
      return {
        async close() {
          consumers.delete(service);
          await consumer.close();
        },
      };
    },
    eraseDeadLetters,
    responds: publisher.responds,
    ready: () => publisher.ready() && consumerConnection.active() !== undefined,
    async idle() {
      const isHandling = () => [...consumers.values()].some(({ isActive }) => isActive);
      const channel = publisher.activeConnection()?.channel;
      if (isHandling() || !channel) return false;
      for (const service of consumers.keys()) {
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
