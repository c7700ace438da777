import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelModel, ConfirmChannel } from 'amqplib';
import type { Logger } from '../telemetry/logging.ts';
import { metrics } from '../telemetry/metrics.ts';
import { connectAmqp } from './connect-amqp.ts';
import { jitteredBackoff } from './retry-policy.ts';

const minBackoffMs = 200;
const maxBackoffMs = 5_000;
/** A connection that was up this long resets the back-off. */
const stableMs = 10_000;
/** Attempts of the first connect, if not given. */
const defaultFirstAttempts = 10;
const closeTimeoutMs = 2_000;
/** The connection is closed after two missed heartbeats. */
const heartbeatSeconds = 15;

/** An open connection and its only channel. */
export interface ActiveConnection {
  connection: ChannelModel;
  channel: ConfirmChannel;
  /** Closes both; they are opened again. */
  fail(reason: Error): void;
}

export interface ManagedConnectionOptions {
  url: string;
  /** Shown by the broker and in the log. */
  name: string;
  logger: Logger;
  /** Attempts of the first connect. */
  firstAttempts?: number | undefined;
  /** Prepares a new channel. */
  setup(active: ActiveConnection): Promise<void>;
  /** The connection was lost; `setup` will be called with the next one. */
  onLost?(): void;
}

export interface ManagedConnection {
  /** Undefined while it is down. */
  active(): ActiveConnection | undefined;
  close(): Promise<void>;
}

const withHeartbeat = (url: string): string => {
  const parts = new URL(url);
  if (!parts.searchParams.has('heartbeat')) parts.searchParams.set('heartbeat', String(heartbeatSeconds));
  return parts.href;
};

/**
 * Opens a connection with one channel and keeps it open. If either closes, for whatever reason, both are opened and set up
 * again, without a limit of attempts. (amqplib's own recovery watches the connection only, and misses one that closes just
 * after the last response of the set-up.)
 *
 * @throws If the first connect fails `firstAttempts` times.
 */
export async function openManagedConnection({
  url,
  name,
  logger,
  firstAttempts = defaultFirstAttempts,
  setup,
  onLost,
}: ManagedConnectionOptions): Promise<ManagedConnection> {
  const address = withHeartbeat(url);
  const closing = new AbortController();
  let current: ActiveConnection | undefined;

  const closeInTime = async (connection: ChannelModel) => {
    // Does not wait for a broker that does not respond: the heartbeat closes what is left.
    const timeout = sleep(closeTimeoutMs, undefined, { ref: false });
    await Promise.race([connection.close().catch(() => {}), timeout]);
  };

  const open = async () => {
    const connection = await connectAmqp(address, name);
    let fail: ActiveConnection['fail'] = () => {};
    const failed = new Promise<Error>((resolve) => {
      fail = resolve;
    });
    connection.on('error', fail);
    connection.on('close', (error) => fail(error ?? new Error('the connection was closed')));
    try {
      const channel = await connection.createConfirmChannel();
      channel.on('error', fail);
      channel.on('close', () => fail(new Error('the channel was closed')));
      const active: ActiveConnection = { connection, channel, fail };
      const broken = failed.then((error) => Promise.reject(error));
      await Promise.race([setup(active), broken]);
      return { active, failed };
    } catch (error) {
      onLost?.();
      await closeInTime(connection);
      throw error;
    }
  };

  const waitUntilLost = async ({ active, failed }: Awaited<ReturnType<typeof open>>) => {
    current = active;
    const since = Date.now();
    const reason = await failed;
    current = undefined;
    onLost?.();
    await closeInTime(active.connection);
    if (!closing.signal.aborted)
      logger.warn({ err: reason, connection: name }, 'lost the connection to RabbitMQ');
    return Date.now() - since > stableMs;
  };

  const openFirst = async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await open();
      } catch (error) {
        if (attempt >= firstAttempts) throw error;
        logger.warn({ err: error, connection: name }, 'RabbitMQ is not available yet');
        await sleep(jitteredBackoff(attempt, minBackoffMs, maxBackoffMs));
      }
    }
  };

  const keepOpen = async (opened: Awaited<ReturnType<typeof open>>) => {
    let failures = (await waitUntilLost(opened)) ? 0 : 1;
    while (!closing.signal.aborted) {
      const pauseMs = jitteredBackoff(failures, minBackoffMs, maxBackoffMs);
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => {});
      if (closing.signal.aborted) return;
      try {
        const reopened = await open();
        if (closing.signal.aborted) reopened.active.fail(new Error('closed'));
        metrics.busReconnects.inc({ connection: name });
        logger.info({ connection: name }, 'RabbitMQ is available again');
        failures = (await waitUntilLost(reopened)) ? 0 : failures + 1;
      } catch (error) {
        failures++;
        logger.warn({ err: error, connection: name }, 'RabbitMQ is still unavailable');
      }
    }
  };

  const reconnectLoop = keepOpen(await openFirst());
  return {
    active: () => current,
    async close() {
      closing.abort();
      current?.fail(new Error('closed'));
      await reconnectLoop;
    },
  };
}
