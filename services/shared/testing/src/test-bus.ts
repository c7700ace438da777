import { randomUUID } from 'node:crypto';
import { type ServiceName, subscriptions } from '@wayquest/contracts';
import {
  connectRabbitMq,
  createInProcessBus,
  type EventBus,
  type Logger,
  retryDelays,
  topologyNames,
} from '@wayquest/platform';
import { connect } from 'amqplib';

export const serviceNames = Object.keys(subscriptions) as ServiceName[];

/**
 * A bus on RabbitMQ with exchange and queues of its own, which go with it: a broker that may open 1,024 files, as is
 * usual, takes no more connections past some 330 quorum queues.
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
  const connection = await connect(url);
  const channel = await connection.createChannel();
  await channel.deleteExchange(names.exchange);
  for (const service of serviceNames) {
    await channel.deleteQueue(names.queue(service));
    await channel.deleteQueue(names.deadQueue(service));
    for (const delay of retryDelays) await channel.deleteQueue(names.retryQueue(service, delay));
  }
  await connection.close();
}

export const startInProcessBus = (logger: Logger): EventBus =>
  createInProcessBus({ logger, services: serviceNames });
