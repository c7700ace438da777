import { type ServiceName, subscriptions } from '@wayquest/contracts';
import type { Channel, ChannelModel } from 'amqplib';
import { connectAmqp } from './connect-amqp.ts';
import { retryDelaysMs } from './retry-policy.ts';

export interface TopologyNames {
  queue(service: ServiceName): string;
  retryQueue(service: ServiceName, delayMs: number): string;
  deadQueue(service: ServiceName): string;
}

export const topologyNames = (prefix = 'wayquest'): TopologyNames => ({
  queue: (service: ServiceName) => `${prefix}.${service}`,
  retryQueue: (service: ServiceName, delayMs: number) => `${prefix}.${service}.retry-${delayMs}`,
  deadQueue: (service: ServiceName) => `${prefix}.${service}.dead`,
});

/** The queues of a service by their use. */
export const queuesByUse = (names: TopologyNames, service: ServiceName) => ({
  ready: [names.queue(service)],
  retry: retryDelaysMs.map((delayMs) => names.retryQueue(service, delayMs)),
  dead: [names.deadQueue(service)],
});

const quorum = { 'x-queue-type': 'quorum' };

// At-least-once dead-lettering: by default messages that move between queues can be lost in a crash of the broker.
const deadLetterTo = (queue: string) => ({
  'x-dead-letter-exchange': '',
  'x-dead-letter-routing-key': queue,
  'x-dead-letter-strategy': 'at-least-once',
  'x-overflow': 'reject-publish',
});

/** The queues of a service with their arguments: dead letters, ready messages, and pending retries. */
const queuesOf = (
  names: TopologyNames,
  service: ServiceName,
): [name: string, arguments_: Record<string, unknown>][] => [
  [names.deadQueue(service), quorum],
  [names.queue(service), { ...quorum, ...deadLetterTo(names.deadQueue(service)) }],
  ...retryDelaysMs.map((delayMs): [string, Record<string, unknown>] => [
    names.retryQueue(service, delayMs),
    { ...quorum, ...deadLetterTo(names.queue(service)), 'x-message-ttl': delayMs },
  ]),
];

/** Declares a service's durable quorum queues where they are missing. Returns the number of messages in each. */
export async function declareQueues(
  channel: Channel,
  names: TopologyNames,
  service: ServiceName,
): Promise<Map<string, number>> {
  const messageCounts = new Map<string, number>();
  for (const [name, arguments_] of queuesOf(names, service)) {
    const { messageCount } = await channel.assertQueue(name, { durable: true, arguments: arguments_ });
    messageCounts.set(name, messageCount);
  }
  return messageCounts;
}

const accessRefused = 403;
const isRefused = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === accessRefused;

/**
 * Declares the queues of every service, so that events are routable in whatever order services start. A broker's user that
 * may only declare those of its own service leaves all of them to their consumers.
 *
 * @param connection - It stays open; the declarations have a channel of their own, which the broker closes if it refuses one.
 */
export async function declareTopology(
  connection: Pick<ChannelModel, 'createChannel'>,
  names: TopologyNames,
): Promise<void> {
  const channel = await connection.createChannel();
  channel.on('error', () => {});
  try {
    for (const service of Object.keys(subscriptions) as ServiceName[])
      await declareQueues(channel, names, service);
    await channel.close();
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
}

/** Numbers of events in the broker that are ready, or wait for a retry. Dead letters do not count. */
export async function countEventsOnRabbitMq({
  url,
  prefix,
}: {
  url: string;
  prefix: string;
}): Promise<number> {
  const names = topologyNames(prefix);
  const connection = await connectAmqp(url);
  try {
    const channel = await connection.createChannel();
    let count = 0;
    for (const service of Object.keys(subscriptions) as ServiceName[]) {
      const messageCounts = await declareQueues(channel, names, service);
      const { ready, retry } = queuesByUse(names, service);
      for (const queue of [...ready, ...retry]) count += messageCounts.get(queue) ?? 0;
    }
    await channel.close();
    return count;
  } finally {
    await connection.close();
  }
}
