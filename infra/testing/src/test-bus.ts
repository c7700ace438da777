import { randomUUID } from 'node:crypto';
import { type ServiceName, serviceNames } from '@wayquest/contracts';
import {
  connectAmqp,
  connectRabbitMq,
  createInProcessBus,
  type EventBus,
  type FailedDeliveries,
  type FailedDelivery,
  retryDelaysMs,
  topologyNames,
} from '@wayquest/platform/bus';
import type { Clock } from '@wayquest/platform/process';
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

/**
 * Starts a bus on RabbitMQ with its own exchange and queues, which are deleted when it is closed: with the usual limit of
 * 1,024 open files, a broker accepts no connections beyond some 330 quorum queues.
 */
export async function startRabbitMqBus(
  url: string,
  logger: Logger,
  prefix = `test-${randomUUID()}`,
): Promise<EventBus> {
  const bus = await connectRabbitMq({ url, logger, prefix });
  return {
    ...bus,
    async close() {
      await bus.close();
      await deleteTopology(url, prefix);
    },
  };
}

async function deleteTopology(url: string, prefix: string): Promise<void> {
  const names = topologyNames(prefix);
  const connection = await connectAmqp(url);
  const channel = await connection.createChannel();
  for (const service of serviceNames) {
    await channel.deleteQueue(names.queue(service));
    await channel.deleteQueue(names.deadQueue(service));
    for (const delay of retryDelaysMs) await channel.deleteQueue(names.retryQueue(service, delay));
  }
  await connection.close();
}

/** Stores failed deliveries of the in-process bus in memory. */
export function createInMemoryFailedDeliveries(): FailedDeliveries & { all(): FailedDelivery[] } {
  const deliveries = new Map<string, FailedDelivery>();
  const keyOf = ({ service, event }: FailedDelivery) => `${service}/${event.id}`;
  const scheduled = () => [...deliveries.values()].filter(({ dueAt }) => dueAt !== null);
  return {
    save: async (delivery) => void deliveries.set(keyOf(delivery), delivery),
    delete: async (delivery) => void deliveries.delete(keyOf(delivery)),
    async discard(service, which) {
      for (const [key, delivery] of deliveries)
        if (delivery.service === service && (await which(delivery.event))) deliveries.delete(key);
    },
    findDue: async (services, by) =>
      scheduled().filter(({ service, dueAt }) => services.includes(service) && Number(dueAt) <= by.getTime()),
    countPending: async () => scheduled().length,
    all: () => [...deliveries.values()],
  };
}

export const startInProcessBus = (
  logger: Logger,
  services: readonly ServiceName[] = serviceNames,
  clock?: Clock,
): EventBus =>
  createInProcessBus({ logger, services, failed: createInMemoryFailedDeliveries(), ...(clock && { clock }) });
