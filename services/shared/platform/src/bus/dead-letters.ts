import { EventEnvelope, type ServiceName } from '@wayquest/contracts';
import type { ConfirmChannel, GetMessage } from 'amqplib';
import type { Connection } from 'mongoose';
import { connectAmqp } from './connect-amqp.ts';
import { type FailedDelivery, failedDeliveryModel } from './failed-deliveries.ts';
import { attemptHeader, reasonHeader } from './rabbitmq-consumer.ts';
import { declareTopology, topologyNames } from './rabbitmq-topology.ts';

/** An event that a service failed to handle in every attempt. */
export interface DeadLetter {
  event: string;
  id: string;
  occurredAt: string;
  reason: string;
}

/** Dead letters of a bus. */
export interface DeadLetters {
  /** Lists a service's dead letters without removing them. */
  list(service: ServiceName): Promise<DeadLetter[]>;
  /** Replays a service's dead letters as if they were new. Returns what was sent. */
  replay(service: ServiceName): Promise<DeadLetter[]>;
}

export interface RabbitMqDeadLettersOptions {
  url: string;
  /** Prefix of the queues, as of the bus. */
  prefix?: string;
}

const describe = ({ content, properties }: GetMessage): DeadLetter => {
  const reason = String(
    properties.headers?.[reasonHeader] ?? 'dropped by the broker: delivery limit reached',
  );
  try {
    const { name, id, occurredAt } = EventEnvelope.parse(JSON.parse(content.toString()));
    return { event: name, id, occurredAt, reason };
  } catch {
    return { event: 'unparseable', id: String(properties.messageId ?? ''), occurredAt: '', reason };
  }
};

/** Sends on a confirm channel; resolves when the broker has the message. */
const confirmed = (send: (callback: (error: unknown) => void) => void) =>
  new Promise<void>((resolve, reject) => {
    send((error) => (error ? reject(error) : resolve()));
  });

/** Dead letters in the broker's queues. */
export function deadLettersOnRabbitMq({ url, prefix }: RabbitMqDeadLettersOptions): DeadLetters {
  const names = topologyNames(prefix);

  /** Moves all current dead letters of a queue to another one; each is acknowledged once the other queue has it. */
  const moveAll = async (
    from: string,
    to: string,
    headersOf: (headers: Record<string, unknown>) => Record<string, unknown>,
  ): Promise<DeadLetter[]> => {
    const connection = await connectAmqp(url);
    try {
      const channel: ConfirmChannel = await connection.createConfirmChannel();
      // A new broker has no queues yet.
      await declareTopology(connection, names);
      const { messageCount } = await channel.checkQueue(from);
      const letters: DeadLetter[] = [];
      for (let n = 0; n < messageCount; n++) {
        const message = await channel.get(from);
        if (!message) break;
        const { messageId, type, headers } = message.properties;
        const options = { persistent: true, messageId, type, headers: headersOf({ ...headers }) };
        await confirmed((callback) => channel.sendToQueue(to, message.content, options, callback));
        channel.ack(message);
        letters.push(describe(message));
      }
      await channel.close();
      return letters;
    } finally {
      await connection.close();
    }
  };

  return {
    // Each is moved to the end of its queue. Requeuing it would count as a delivery, and the broker drops a message
    // after some of these.
    list: (service) => moveAll(names.deadQueue(service), names.deadQueue(service), (headers) => headers),
    replay: (service) =>
      moveAll(
        names.deadQueue(service),
        names.queue(service),
        ({ [attemptHeader]: _attempt, [reasonHeader]: _reason, ...headers }) => headers,
      ),
  };
}

/** Dead letters in the store of the in-process bus; the running process handles replayed ones within seconds. */
export function deadLettersInStore(connection: Connection): DeadLetters {
  const Failed = failedDeliveryModel(connection);
  const toDeadLetter = ({ event: { name, id, occurredAt }, reason }: FailedDelivery): DeadLetter => ({
    event: name,
    id,
    occurredAt,
    reason,
  });
  const list: DeadLetters['list'] = async (service) =>
    (await Failed.find({ service, dueAt: null }).sort({ 'event.occurredAt': 1 }).lean()).map(toDeadLetter);
  return {
    list,
    async replay(service) {
      const letters = await list(service);
      const ids = letters.map(({ id }) => `${service}/${id}`);
      await Failed.updateMany(
        { _id: { $in: ids }, dueAt: null },
        { $set: { dueAt: new Date(), attempt: 0 } },
      );
      return letters;
    },
  };
}
