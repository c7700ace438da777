import { EventEnvelope, type ServiceName } from '@wayquest/contracts';
import type { ConfirmChannel, GetMessage } from 'amqplib';
import type { Connection } from 'mongoose';
import { connectAmqp } from './amqp-connection.ts';
import { type FailedDelivery, failedDeliveryModel } from './failed-deliveries.ts';
import { attemptHeader, reasonHeader } from './rabbitmq-bus.ts';
import { declareTopology, topologyNames } from './rabbitmq-topology.ts';

/** An event that a service could not handle, however often it was tried. */
export interface DeadLetter {
  event: string;
  id: string;
  occurredAt: string;
  reason: string;
}

/** The dead letters of one way to run Wayquest. */
export interface DeadLetters {
  /** Those of a service, which stay. */
  list(service: ServiceName): Promise<DeadLetter[]>;
  /** Replays a service's dead letters as if they were new. Returns what was sent. */
  replay(service: ServiceName): Promise<DeadLetter[]>;
}

export interface RabbitMqDeadLettersOptions {
  url: string;
  /** As that of the bus. */
  prefix?: string;
}

const describe = ({ content, properties }: GetMessage): DeadLetter => {
  const reason = String(properties.headers?.[reasonHeader] ?? 'given up by the broker');
  try {
    const { name, id, occurredAt } = EventEnvelope.parse(JSON.parse(content.toString()));
    return { event: name, id, occurredAt, reason };
  } catch {
    return { event: 'unreadable', id: String(properties.messageId ?? ''), occurredAt: '', reason };
  }
};

/** Sends on a confirm channel; resolves when the broker has the message. */
const confirmed = (send: (callback: (error: unknown) => void) => void) =>
  new Promise<void>((resolve, reject) => {
    send((error) => (error ? reject(error) : resolve()));
  });

/** In the queues of the broker. */
export function deadLettersOnRabbitMq({ url, prefix }: RabbitMqDeadLettersOptions): DeadLetters {
  const names = topologyNames(prefix);

  /** Takes each dead letter there is now and sends it on to a queue before it is let go. */
  const moveAll = async (
    from: string,
    to: string,
    headersOf: (headers: Record<string, unknown>) => Record<string, unknown>,
  ): Promise<DeadLetter[]> => {
    const connection = await connectAmqp(url);
    try {
      const channel: ConfirmChannel = await connection.createConfirmChannel();
      // On a broker where nothing has run yet there is simply nothing dead.
      await declareTopology(channel, names);
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
    // Each goes back to the end of its queue rather than being put back unread, which the broker counts and gives up
    // on after some times.
    list: (service) => moveAll(names.deadQueue(service), names.deadQueue(service), (headers) => headers),
    replay: (service) =>
      moveAll(
        names.deadQueue(service),
        names.queue(service),
        ({ [attemptHeader]: _attempt, [reasonHeader]: _reason, ...headers }) => headers,
      ),
  };
}

/** In the store of the in-process bus; what is replayed, the running process takes up within seconds. */
export function deadLettersInStore(connection: Connection): DeadLetters {
  const Failed = failedDeliveryModel(connection);
  const letter = ({ event: { name, id, occurredAt }, reason }: FailedDelivery): DeadLetter => ({
    event: name,
    id,
    occurredAt,
    reason,
  });
  const list: DeadLetters['list'] = async (service) =>
    (await Failed.find({ service, dueAt: null }).sort({ 'event.occurredAt': 1 }).lean()).map(letter);
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
