import type { Logger } from '../telemetry/logging.ts';
import { metrics } from '../telemetry/metrics.ts';
import { type ActiveConnection, openManagedConnection } from './managed-connection.ts';
import { declareTopology, type TopologyNames } from './rabbitmq-topology.ts';

/** The broker reaches its maximum throughput with about 100 unconfirmed messages; more would only wait there. */
const maxUnconfirmed = 100;
/** Timeout for waiting and confirmation together; shorter than the lease of an outbox. */
const confirmWithinMs = 4_000;

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
  /** Resolves when the queue has confirmed the message. Rejects if the queue is missing or does not confirm in time. */
  send(queue: string, content: Buffer, envelope: Envelope): Promise<void>;
  ready(): boolean;
  activeConnection(): ActiveConnection | undefined;
  close(): Promise<void>;
}

/**
 * Opens a connection of its own for publishing, and declares what is published to.
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
  const waiting = new Set<() => void>();
  /** Ids of returned messages, until the confirmation that follows. */
  const returned = new Set<string>();
  let unconfirmed = 0;
  let sent = 0;
  let blocked = false;
  let full = false;
  let declaring = false;
  let advancing = false;

  const setBlocked = (now: boolean) => {
    blocked = now;
    metrics.busBlocked.set(now ? 1 : 0);
  };

  const maySend = () => !link.active() || (unconfirmed < maxUnconfirmed && !blocked && !full);

  const advance = () => {
    // A send that fails immediately calls this again; the loop below continues anyway.
    if (advancing) return;
    advancing = true;
    for (const go of waiting) {
      if (!maySend()) break;
      waiting.delete(go);
      go();
    }
    advancing = false;
  };

  const declareAgain = async (connection: ActiveConnection, queue: string) => {
    if (declaring) return;
    declaring = true;
    logger.error({ queue }, 'a queue is missing; it is declared again');
    try {
      await declareTopology(connection.channel, names);
    } catch (error) {
      connection.fail(new Error('the queues could not be declared', { cause: error }));
    } finally {
      declaring = false;
    }
  };

  const link = await openManagedConnection({
    url,
    name: 'publishing',
    logger,
    firstAttempts,
    async setup(activeConnection) {
      await declareTopology(activeConnection.channel, names);
      activeConnection.channel.on('return', ({ fields, properties }) => {
        returned.add(String(properties.correlationId));
        void declareAgain(activeConnection, fields.routingKey);
      });
      activeConnection.channel.on('drain', () => {
        full = false;
        advance();
      });
      activeConnection.connection.on('blocked', (reason) => {
        setBlocked(true);
        logger.warn({ reason }, 'RabbitMQ blocks publishers; events stay in their outboxes');
      });
      activeConnection.connection.on('unblocked', () => {
        setBlocked(false);
        logger.info('RabbitMQ accepts events again');
        advance();
      });
    },
    onLost() {
      setBlocked(false);
      full = false;
      returned.clear();
      advance();
    },
  });

  return {
    send: (queue, content, envelope) =>
      new Promise((resolve, reject) => {
        const correlationId = String(++sent);
        let settled = false;
        let underWay = false;
        const settle = (error?: unknown) => {
          if (settled) return;
          settled = true;
          clearTimeout(timer);
          waiting.delete(go);
          if (underWay) metrics.busUnconfirmed.set(--unconfirmed);
          if (error) reject(error);
          else resolve();
          advance();
        };
        const go = () => {
          const activeConnection = link.active();
          if (!activeConnection) return settle(new Error('the event bus is not connected'));
          underWay = true;
          const since = performance.now();
          metrics.busUnconfirmed.set(++unconfirmed);
          const options = { ...envelope, correlationId, persistent: true, mandatory: true };
          try {
            const roomLeft = activeConnection.channel.sendToQueue(
              queue,
              content,
              { ...options, contentType: 'application/json' },
              (error) => {
                const missing = returned.delete(correlationId);
                const seconds = (performance.now() - since) / 1_000;
                metrics.roundTrips.observe({ to: 'broker', kind: 'confirm' }, seconds);
                settle(error ?? (missing ? new Error(`there is no queue ${queue}`) : undefined));
              },
            );
            if (!roomLeft) full = true;
          } catch (error) {
            settle(error);
          }
        };
        const timer = setTimeout(
          () => settle(new Error(`${queue} has not confirmed within ${confirmWithinMs} ms`)),
          confirmWithinMs,
        );
        if (maySend()) go();
        else waiting.add(go);
      }),
    ready: () => link.active() !== undefined && !declaring,
    activeConnection: link.active,
    close: link.close,
  };
}
