import { randomUUID } from 'node:crypto';
import { type Event, type ServiceName, serviceNames } from '@wayquest/contracts';
import { type Clock, systemClock } from '@wayquest/platform/async';
import {
  connectAmqp,
  connectRabbitMq,
  createInProcessBus,
  type EventBus,
  type FailedDeliveries,
  type FailedDelivery,
  queuesByUse,
  retryDelaysMs,
  topologyNames,
} from '@wayquest/platform/bus';
import type { Logger } from '@wayquest/platform/telemetry';

/** A part of a network that may have events to publish. */
interface Publisher {
  isRelaying(): boolean;
  isIdle(): Promise<boolean>;
}

/**
 * Returns a check whether no event is in an outbox, on the bus or being handled. It counts publications, since an event
 * may move from an outbox over the bus into an outbox that was found empty before.
 *
 * @param bus - Its `publish` is replaced by one that counts, so call this before services start.
 * @param publishers - Returns the services, each with its outboxes.
 */
export function createSettledCheck(bus: EventBus, publishers: () => Publisher[]): () => Promise<boolean> {
  let publications = 0;
  const { publish } = bus;
  bus.publish = (event, options) => {
    publications += 1;
    return publish(event, options);
  };
  return async () => {
    const before = publications;
    // Checked first, since it costs nothing: if something is busy, the stores need not be queried.
    if (publishers().some((publisher) => publisher.isRelaying()) || !(await bus.idle())) return false;
    const idle = await Promise.all(publishers().map((publisher) => publisher.isIdle()));
    return !idle.includes(false) && (await bus.idle()) && publications === before;
  };
}

/** A bus of a test network. */
export interface TestBus extends EventBus {
  /** Stores a failed delivery: a dead letter, or one whose retry is delayed by a second. */
  storeFailed(service: ServiceName, event: Event, kind: 'dead' | 'delayed'): Promise<void>;
  /**
   * Once it is closed, what it still held, as JSON: what was waiting, delayed, dead-lettered or unacknowledged.
   */
  remaining(): readonly string[];
}

/**
 * Starts a bus on RabbitMQ with its own exchange and queues, which are deleted when it is closed: with the usual limit of
 * 1,024 open files, a broker accepts no connections beyond some 330 quorum queues.
 */
export async function startRabbitMqBus(
  url: string,
  logger: Logger,
  prefix = `test-${randomUUID()}`,
): Promise<TestBus> {
  const bus = await connectRabbitMq({ url, logger, prefix });
  const names = topologyNames(prefix);
  let remaining: string[] = [];
  return {
    ...bus,
    async storeFailed(service, event, kind) {
      const queue = kind === 'dead' ? names.deadQueue(service) : names.retryQueue(service, retryDelaysMs[0]);
      const connection = await connectAmqp(url);
      const channel = await connection.createConfirmChannel();
      const { id: messageId, name: type } = event;
      channel.sendToQueue(queue, Buffer.from(JSON.stringify(event)), { persistent: true, messageId, type });
      await channel.waitForConfirms();
      await connection.close();
    },
    remaining: () => remaining,
    async close() {
      await bus.close();
      remaining = await deleteTopology(url, prefix);
    },
  };
}

/** Deletes all queues; returns the messages that they contained. */
async function deleteTopology(url: string, prefix: string): Promise<string[]> {
  const names = topologyNames(prefix);
  const connection = await connectAmqp(url);
  const channel = await connection.createChannel();
  const messages: string[] = [];
  for (const service of serviceNames)
    for (const queue of Object.values(queuesByUse(names, service)).flat()) {
      for (let message = await channel.get(queue); message; message = await channel.get(queue))
        messages.push(message.content.toString());
      await channel.deleteQueue(queue);
    }
  await connection.close();
  return messages;
}

/** Stores failed deliveries of the in-process bus in memory. */
export function createInMemoryFailedDeliveries(): FailedDeliveries & { all(): FailedDelivery[] } {
  const deliveries = new Map<string, FailedDelivery>();
  const keyOf = ({ service, event }: FailedDelivery) => `${service}/${event.id}`;
  const scheduled = () => [...deliveries.values()].filter(({ dueAt }) => dueAt !== null);
  return {
    save: async (delivery) => void deliveries.set(keyOf(delivery), delivery),
    delete: async (delivery) => void deliveries.delete(keyOf(delivery)),
    async erase(service, which) {
      for (const [key, delivery] of deliveries)
        if (delivery.service === service && (await which(delivery.event))) deliveries.delete(key);
    },
    findDue: async (services, by) =>
      scheduled().filter(({ service, dueAt }) => services.includes(service) && Number(dueAt) <= by.getTime()),
    countPending: async () => scheduled().length,
    all: () => [...deliveries.values()],
  };
}

export function startInProcessBus(
  logger: Logger,
  services: readonly ServiceName[] = serviceNames,
  clock: Clock = systemClock,
): TestBus {
  const failed = createInMemoryFailedDeliveries();
  return {
    ...createInProcessBus({ logger, services, failed, clock }),
    async storeFailed(service, event, kind) {
      const dueAt = kind === 'dead' ? null : new Date(clock.now() + retryDelaysMs[0]);
      await failed.save({ service, event, attempt: 1, reason: 'stored by a test', dueAt });
    },
    remaining: () => failed.all().map(({ event }) => JSON.stringify(event)),
  };
}
