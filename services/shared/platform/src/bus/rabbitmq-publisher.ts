import { setTimeout as sleep } from 'node:timers/promises';
import { startTimeout } from '@wayquest/contracts';
import type { Logger } from '../telemetry/logging.ts';
import { metrics } from '../telemetry/metrics.ts';
import { type ActiveConnection, openManagedConnection } from './managed-connection.ts';
import { declareTopology, type TopologyNames } from './rabbitmq-topology.ts';

/** The broker reaches its maximum throughput with about 100 unconfirmed messages; more would only wait there. */
const maxUnconfirmed = 100;
/**
 * Timeout of a confirmation. Before a message is sent, it waits as long as the broker confirms others: a broker that is only
 * slow would be slowed down further by messages that it gets again.
 */
const confirmTimeoutMs = 10_000;
/** Without any confirmation for this time the broker does not respond, as when it is paused. */
const silenceMs = 5_000;
/**
 * How long a missing queue stays missing. If it is declared in the moment of its deletion, RabbitMQ may not cancel the
 * queue's consumers, and drops what it delivers to them.
 */
const declareDelayMs = 1_000;

export interface PublisherOptions {
  url: string;
  names: TopologyNames;
  logger: Logger;
  /** Attempts of the first connect. */
  firstAttempts?: number | undefined;
}

export interface Envelope {
  messageId: string;
  /** The event's name. */
  type: string;
  headers?: Record<string, unknown>;
}

/** Publishes messages to queues, on a separate connection: a broker that is out of memory stops reading it. */
export interface Publisher {
  /**
   * Resolves when the queue has confirmed the message. Rejects if the queue is missing or does not confirm in time, or if the
   * broker confirms nothing while the message waits to be sent.
   */
  send(queue: string, content: Buffer, envelope: Envelope): Promise<void>;
  ready(): boolean;
  /** Whether messages are confirmed; also true if the broker has said that it accepts none at the moment. */
  responds(): boolean;
  activeConnection(): ActiveConnection | undefined;
  close(): Promise<void>;
}

/**
 * Opens a connection of its own for publishing, and declares the queues.
 *
 * @throws If the broker cannot be reached after `firstAttempts`.
 */
export async function openPublisher({
  url,
  names,
  logger,
  firstAttempts,
}: PublisherOptions): Promise<Publisher> {
  /** Senders that wait for a free slot, in order. */
  const queuedSends = new Set<() => void>();
  /** Ids of returned messages, until the confirmation that follows. */
  const returned = new Set<string>();
  let unconfirmed = 0;
  let confirmed = 0;
  /** Since when sent messages wait without a confirmation of any, by `performance.now()`. */
  let silentSince: number | undefined;
  let sent = 0;
  let blocked = false;
  let channelFull = false;
  let declaring = false;
  let draining = false;

  const setBlocked = (isBlocked: boolean) => {
    blocked = isBlocked;
    metrics.busBlocked.set(isBlocked ? 1 : 0);
  };

  const maySend = () => !connection.active() || (unconfirmed < maxUnconfirmed && !blocked && !channelFull);

  const drainQueue = () => {
    // A send that fails immediately calls this again; the loop below continues anyway.
    if (draining) return;
    draining = true;
    for (const start of queuedSends) {
      if (!maySend()) break;
      queuedSends.delete(start);
      start();
    }
    draining = false;
  };

  const declareAgain = async (connection: ActiveConnection, queue: string) => {
    if (declaring) return;
    declaring = true;
    logger.error({ queue }, 'a queue is missing; it is declared again, here or by its service');
    try {
      await sleep(declareDelayMs);
      await declareTopology(connection.connection, names);
    } catch (error) {
      connection.fail(new Error('the queues could not be declared', { cause: error }));
    } finally {
      declaring = false;
    }
  };

  const connection = await openManagedConnection({
    url,
    name: 'publishing',
    logger,
    firstAttempts,
    async setup(activeConnection) {
      await declareTopology(activeConnection.connection, names);
      activeConnection.channel.on('return', ({ fields, properties }) => {
        returned.add(String(properties.correlationId));
        void declareAgain(activeConnection, fields.routingKey);
      });
      activeConnection.channel.on('drain', () => {
        channelFull = false;
        drainQueue();
      });
      activeConnection.connection.on('blocked', (reason) => {
        setBlocked(true);
        logger.warn({ reason }, 'RabbitMQ blocks publishers; events stay in their outboxes');
      });
      activeConnection.connection.on('unblocked', () => {
        setBlocked(false);
        logger.info('RabbitMQ accepts events again');
        drainQueue();
      });
    },
    onLost() {
      setBlocked(false);
      channelFull = false;
      silentSince = undefined;
      returned.clear();
      drainQueue();
    },
  });

  return {
    send: (queue, content, envelope) =>
      new Promise((resolve, reject) => {
        const correlationId = String(++sent);
        let settled = false;
        let isUnconfirmed = false;
        const settle = (error?: unknown) => {
          if (settled) return;
          settled = true;
          cancelTimeout();
          queuedSends.delete(start);
          if (isUnconfirmed) metrics.busUnconfirmed.set(--unconfirmed);
          if (error) reject(error);
          else resolve();
          drainQueue();
        };
        const start = () => {
          const activeConnection = connection.active();
          if (!activeConnection) return settle(new Error('the event bus is not connected'));
          isUnconfirmed = true;
          cancelTimeout();
          cancelTimeout = startTimeout(confirmTimeoutMs, timeOut);
          const since = performance.now();
          silentSince ??= since;
          metrics.busUnconfirmed.set(++unconfirmed);
          const options = { ...envelope, correlationId, persistent: true, mandatory: true };
          try {
            const hasCapacity = activeConnection.channel.sendToQueue(
              queue,
              content,
              { ...options, contentType: 'application/json' },
              (error) => {
                if (!error) confirmed++;
                const missing = returned.delete(correlationId);
                const seconds = (performance.now() - since) / 1_000;
                metrics.roundTrips.observe({ to: 'broker', kind: 'confirm' }, seconds);
                settle(error ?? (missing ? new Error(`there is no queue ${queue}`) : undefined));
                silentSince = unconfirmed ? performance.now() : undefined;
              },
            );
            if (!hasCapacity) channelFull = true;
          } catch (error) {
            settle(error);
          }
        };
        const timeOut = () => settle(new Error(`${queue} has not confirmed within ${confirmTimeoutMs} ms`));
        const waitForOthers = () => {
          const before = confirmed;
          return startTimeout(confirmTimeoutMs, () => {
            if (confirmed === before) timeOut();
            else cancelTimeout = waitForOthers();
          });
        };
        let cancelTimeout = waitForOthers();
        if (maySend()) start();
        else queuedSends.add(start);
      }),
    ready: () => connection.active() !== undefined && !declaring,
    responds: () => blocked || silentSince === undefined || performance.now() - silentSince < silenceMs,
    activeConnection: connection.active,
    close: connection.close,
  };
}
