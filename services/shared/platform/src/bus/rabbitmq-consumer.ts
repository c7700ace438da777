import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Event, ServiceName } from '@wayquest/contracts';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { Logger } from '../telemetry/logging.ts';
import { metrics } from '../telemetry/metrics.ts';
import {
  type AnyEventHandlers,
  type EventBus,
  handleEvent,
  parseEvent,
  type SubscribeOptions,
} from './event-bus.ts';
import type { ActiveConnection } from './managed-connection.ts';
import type { Publisher } from './rabbitmq-publisher.ts';
import { declareQueues, type TopologyNames } from './rabbitmq-topology.ts';
import {
  createConsumerBackoff,
  decideRetry,
  jitteredBackoff,
  reasonOf,
  storeDeadLetter,
} from './retry-policy.ts';

/** Headers: number of failed attempts, and the last error. */
export const attemptHeader = 'x-wayquest-attempt';
export const reasonHeader = 'x-wayquest-reason';

/** Back-off between attempts to requeue a failed delivery. */
const minBackoffMs = 500;
const maxBackoffMs = 15_000;

const attemptOf = (message: ConsumeMessage) => Number(message.properties.headers?.[attemptHeader] ?? 0);

/** Returns the event in a message; undefined if it is invalid. */
export function eventIn(content: Buffer): Event | undefined {
  try {
    return parseEvent(JSON.parse(content.toString()));
  } catch {
    return undefined;
  }
}

export interface ConsumerOptions extends SubscribeOptions {
  service: ServiceName;
  handlers: AnyEventHandlers;
  names: TopologyNames;
  publisher: Pick<Publisher, 'send'>;
  eraseDeadLetters: EventBus['eraseDeadLetters'];
  logger: Logger;
}

/**
 * Consumes the queue of one service: handles each delivery, moves failed ones to a retry queue or to the dead letters, and
 * pauses while a dependency is unavailable.
 */
export class Consumer {
  /**
   * The oldest ready message arrived after this time: the queue was empty then, or earlier events have been handled. In
   * milliseconds since 1970.
   */
  queueAgeSince = Date.now();
  readonly #options: ConsumerOptions;
  readonly #backoff = createConsumerBackoff();
  /** The connection that it may consume on. */
  #connection: ActiveConnection | undefined;
  /** Its consumer tag and channel, while it consumes. */
  #consuming: { tag: string; channel: ConfirmChannel } | undefined;
  /** Set while it is paused because a dependency is unavailable. */
  #resumeTimer: NodeJS.Timeout | undefined;
  #active = 0;
  #closed = false;

  constructor(options: ConsumerOptions) {
    this.#options = options;
  }

  /** Whether a delivery is being handled. */
  get isActive(): boolean {
    return this.#active > 0;
  }

  /** Consumes on a connection, unless it is paused or closed. */
  async start(connection: ActiveConnection | undefined): Promise<void> {
    this.#connection = connection;
    if (!connection || this.#resumeTimer || this.#closed || this.#consuming?.channel === connection.channel)
      return;
    const { service, names } = this.#options;
    const { channel, fail } = connection;
    const tag = randomUUID();
    this.#consuming = { tag, channel };
    try {
      await declareQueues(channel, names, service);
      await channel.consume(
        names.queue(service),
        (message) => {
          if (message) void this.#receive(channel, message);
          else fail(new Error(`the broker canceled the consumer of ${names.queue(service)}`));
        },
        { consumerTag: tag },
      );
      this.#count();
    } catch (error) {
      fail(new Error(`could not consume the events of ${service}`, { cause: error }));
    }
  }

  /** Stops consuming, because the connection was lost. */
  connectionLost(): void {
    this.#connection = undefined;
    void this.#stop();
  }

  /** Stops consuming, and waits for the deliveries that are being handled. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#resumeTimer);
    await this.#stop();
    while (this.isActive) await sleep(20);
  }

  #count() {
    metrics.busConsumers.set({ service: this.#options.service }, this.#consuming ? 1 : 0);
  }

  async #stop() {
    const consuming = this.#consuming;
    this.#consuming = undefined;
    this.#count();
    // On a closed channel there is nothing to cancel.
    if (consuming && consuming.channel === this.#connection?.channel)
      await consuming.channel.cancel(consuming.tag).catch(() => {});
  }

  #pause(error: unknown) {
    if (this.#resumeTimer || this.#closed) return;
    const { service, logger } = this.#options;
    const pauseMs = Math.round(this.#backoff.next());
    logger.warn({ err: error, service, pauseMs }, 'dependency unavailable; pausing consumer');
    this.#resumeTimer = setTimeout(() => {
      this.#resumeTimer = undefined;
      void this.start(this.#connection);
    }, pauseMs);
    void this.#stop();
  }

  async #receive(channel: ConfirmChannel, message: ConsumeMessage) {
    this.#active++;
    try {
      const done = await this.#process(channel, message);
      // The broker redelivers messages of a closed channel.
      if (channel !== this.#connection?.channel) return;
      if (done) channel.ack(message);
      else channel.nack(message);
    } catch (error) {
      const { service, logger } = this.#options;
      logger.warn({ err: error, service }, 'a delivery was not acknowledged and will be redelivered');
    } finally {
      this.#active--;
    }
  }

  /** Returns whether the delivery can be acknowledged: it was handled, or another queue has it. */
  async #process(channel: ConfirmChannel, message: ConsumeMessage): Promise<boolean> {
    try {
      await this.#handle(message);
      return true;
    } catch (error) {
      const { service, logger } = this.#options;
      const requeue = this.#retryOrDeadLetter(message, error);
      for (let failures = 0; channel === this.#connection?.channel; failures++) {
        try {
          await requeue();
          return true;
        } catch (requeueError) {
          logger.warn({ err: requeueError, service }, 'could not requeue a delivery');
          if (this.#closed) return false;
          await sleep(jitteredBackoff(failures, minBackoffMs, maxBackoffMs));
        }
      }
      return false;
    }
  }

  async #handle(message: ConsumeMessage) {
    const { service, handlers, logger } = this.#options;
    const event = parseEvent(JSON.parse(message.content.toString()));
    await handleEvent({ service, handlers, event, logger });
    this.queueAgeSince = Math.max(this.queueAgeSince, Date.parse(event.occurredAt));
  }

  /** Returns a function that moves a failed delivery to a retry queue or to the dead letters. */
  #retryOrDeadLetter(message: ConsumeMessage, error: unknown) {
    const { service, names, publisher, isErased, eraseDeadLetters, logger } = this.#options;
    const { properties, fields, content } = message;
    const { outcome, attempt, delayMs } = decideRetry(error, attemptOf(message));
    const { messageId, type: event = fields.routingKey } = properties;
    const parsedEvent = eventIn(content);
    metrics.eventsHandled.inc({ service, event, outcome });
    if (outcome === 'deferred') this.#pause(error);
    else {
      const { requestId } = parsedEvent ?? {};
      logger.error(
        { err: error, event, eventId: messageId, requestId, attempt, service, outcome },
        'could not handle an event',
      );
    }
    const target = outcome === 'dead' ? names.deadQueue(service) : names.retryQueue(service, delayMs);
    const headers = { [attemptHeader]: attempt, [reasonHeader]: reasonOf(error) };
    const send = () => publisher.send(target, content, { messageId, type: event, headers });
    if (outcome !== 'dead' || !parsedEvent) return send;
    return () =>
      storeDeadLetter({
        ...{ event: parsedEvent, isErased },
        store: send,
        erase: (filter) => eraseDeadLetters(service, filter),
      });
  }
}
