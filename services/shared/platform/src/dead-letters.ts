import { EventEnvelope, type ServiceName } from '@wayquest/contracts';
import { type ConfirmChannel, connect, type GetMessage } from 'amqplib';
import { attemptHeader, confirmed, declareTopology, reasonHeader, topologyNames } from './rabbitmq-bus.ts';

export interface DeadLettersOptions {
  url: string;
  service: ServiceName;
  /** As that of the bus. */
  prefix?: string;
}

/** An event that a service could not handle, however often it was tried. */
export interface DeadLetter {
  event: string;
  id: string;
  occurredAt: string;
  reason: string;
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

/** Takes each dead letter there is now and sends it on to a queue before it is let go. */
async function moveAll(
  { url, service, prefix }: DeadLettersOptions,
  targetOf: (names: ReturnType<typeof topologyNames>) => string,
  headersOf: (headers: Record<string, unknown>) => Record<string, unknown>,
): Promise<DeadLetter[]> {
  const names = topologyNames(prefix);
  const connection = await connect(url, { noDelay: true });
  try {
    const channel: ConfirmChannel = await connection.createConfirmChannel();
    // On a broker where nothing has run yet there is simply nothing dead.
    await declareTopology(channel, names);
    const { messageCount } = await channel.checkQueue(names.deadQueue(service));
    const letters: DeadLetter[] = [];
    for (let n = 0; n < messageCount; n++) {
      const message = await channel.get(names.deadQueue(service));
      if (!message) break;
      const headers = headersOf({ ...message.properties.headers });
      const options = { persistent: true, messageId: message.properties.messageId, headers };
      await confirmed((callback) => channel.sendToQueue(targetOf(names), message.content, options, callback));
      channel.ack(message);
      letters.push(describe(message));
    }
    await channel.close();
    return letters;
  } finally {
    await connection.close();
  }
}

/**
 * The dead letters of a service, which stay. Each goes back to the end of its queue rather than being put back
 * unread, which the broker counts and gives up on after some times.
 */
export const listDeadLetters = (options: DeadLettersOptions): Promise<DeadLetter[]> =>
  moveAll(
    options,
    (names) => names.deadQueue(options.service),
    (headers) => headers,
  );

/** Gives a service its dead letters once more, as if they were new. Answers what was sent. */
export const replayDeadLetters = (options: DeadLettersOptions): Promise<DeadLetter[]> =>
  moveAll(
    options,
    (names) => names.queue(options.service),
    ({ [attemptHeader]: _attempt, [reasonHeader]: _reason, ...headers }) => headers,
  );
