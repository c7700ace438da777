import type { Logger } from '../telemetry/logging.ts';
import { metrics } from '../telemetry/metrics.ts';
import { type ActiveConnection, openManagedConnection } from './rabbitmq-connection.ts';
import { declareTopology, type Names } from './rabbitmq-topology.ts';

/** With about 100 under way the broker runs at its full speed; more would only wait there. */
const maxUnconfirmed = 100;
/** For waiting and confirm together: less than an outbox, whose lease is running, would wait. */
const confirmWithinMs = 4_000;

export interface PublisherOptions {
  url: string;
  names: Names;
  logger: Logger;
  /** How often the first opening is tried. */
  firstAttempts?: number | undefined;
}

export interface Envelope {
  messageId: string;
  /** The event's name. */
  type: string;
  headers?: Record<string, unknown>;
}

/** Puts messages into queues, on a connection that does nothing else: a broker out of memory stops reading it. */
export interface Publisher {
  /** Resolves when the queue has the message. Rejects when it is not there, or has not said so in time. */
  send(queue: string, content: Buffer, envelope: Envelope): Promise<void>;
  ready(): boolean;
  line(): ActiveConnection | undefined;
  close(): Promise<void>;
}

export async function openPublisher({
  url,
  names,
  logger,
  firstAttempts,
}: PublisherOptions): Promise<Publisher> {
  /** Those that wait for their turn, in their order. */
  const waiting = new Set<() => void>();
  /** Messages that came back, until the confirm that follows. */
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

  const mayGo = () => !link.active() || (unconfirmed < maxUnconfirmed && !blocked && !full);

  const advance = () => {
    // One that fails at once makes room for the next, which this loop comes to anyway.
    if (advancing) return;
    advancing = true;
    for (const go of waiting) {
      if (!mayGo()) break;
      waiting.delete(go);
      go();
    }
    advancing = false;
  };

  const declareAgain = async (line: ActiveConnection, queue: string) => {
    if (declaring) return;
    declaring = true;
    logger.error({ queue }, 'a queue is missing; it is declared again');
    try {
      await declareTopology(line.channel, names);
    } catch (error) {
      line.fail(new Error('the queues could not be declared', { cause: error }));
    } finally {
      declaring = false;
    }
  };

  const link = await openManagedConnection({
    url,
    name: 'publishing',
    logger,
    firstAttempts,
    async setup(line) {
      await declareTopology(line.channel, names);
      line.channel.on('return', ({ fields, properties }) => {
        returned.add(String(properties.correlationId));
        void declareAgain(line, fields.routingKey);
      });
      line.channel.on('drain', () => {
        full = false;
        advance();
      });
      line.connection.on('blocked', (reason) => {
        setBlocked(true);
        logger.warn({ reason }, 'RabbitMQ blocks publishers; events stay in their outboxes');
      });
      line.connection.on('unblocked', () => {
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
          const line = link.active();
          if (!line) return settle(new Error('the event bus is not connected'));
          underWay = true;
          const since = performance.now();
          metrics.busUnconfirmed.set(++unconfirmed);
          const options = { ...envelope, correlationId, persistent: true, mandatory: true };
          try {
            const roomLeft = line.channel.sendToQueue(
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
        if (mayGo()) go();
        else waiting.add(go);
      }),
    ready: () => link.active() !== undefined && !declaring,
    line: link.active,
    close: link.close,
  };
}
