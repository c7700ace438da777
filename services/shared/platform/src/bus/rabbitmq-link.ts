import { setTimeout as aMoment } from 'node:timers/promises';
import type { ChannelModel, ConfirmChannel } from 'amqplib';
import type { Logger } from '../telemetry/logging.ts';
import { metrics } from '../telemetry/metrics.ts';
import { connectAmqp } from './amqp-connection.ts';
import { growingPause } from './away.ts';

const shortestPauseMs = 200;
const longestPauseMs = 5_000;
/** A link that held this long was well: what ends it is a new trouble. */
const steadyMs = 10_000;
/** So often the first opening is tried before it is given up, where nothing else is said. */
const usualAttempts = 10;
const closeWithinMs = 2_000;
/** Two of them without a sign of life end a connection that died without a word. */
const heartbeatSeconds = 15;

/** A connection and its one channel, while they are up. */
export interface Line {
  connection: ChannelModel;
  channel: ConfirmChannel;
  /** Ends both, to be made anew. */
  fail(reason: Error): void;
}

export interface LinkOptions {
  url: string;
  /** As the broker and the log show it. */
  name: string;
  logger: Logger;
  /** How often the first opening is tried. */
  firstAttempts?: number | undefined;
  /** Makes a new channel ready for use. */
  setup(line: Line): Promise<void>;
  /** The line is gone; `setup` will be called with another one. */
  lost?(): void;
}

export interface Link {
  /** Undefined while it is down. */
  line(): Line | undefined;
  close(): Promise<void>;
}

const withHeartbeat = (url: string): string => {
  const parts = new URL(url);
  if (!parts.searchParams.has('heartbeat')) parts.searchParams.set('heartbeat', String(heartbeatSeconds));
  return parts.href;
};

/**
 * Opens a connection with one channel and keeps it open. Both live and die together: whatever closes either, a fault
 * of the broker, the network or ours, leads to both being made and set up anew, for as long as it takes. (amqplib's own
 * recovery sees the connection only, and not even that when it closes just behind the last answer of the set-up.)
 */
export async function openLink({
  url,
  name,
  logger,
  firstAttempts = usualAttempts,
  setup,
  lost,
}: LinkOptions): Promise<Link> {
  const address = withHeartbeat(url);
  const closing = new AbortController();
  let current: Line | undefined;

  const hangUp = async (connection: ChannelModel) => {
    // A broker that does not answer is not waited for: the heartbeat ends what is left.
    const late = aMoment(closeWithinMs, undefined, { ref: false });
    await Promise.race([connection.close().catch(() => {}), late]);
  };

  const open = async () => {
    const connection = await connectAmqp(address, name);
    let fail: Line['fail'] = () => {};
    const failed = new Promise<Error>((resolve) => {
      fail = resolve;
    });
    connection.on('error', fail);
    connection.on('close', (error) => fail(error ?? new Error('the connection was closed')));
    try {
      const channel = await connection.createConfirmChannel();
      channel.on('error', fail);
      channel.on('close', () => fail(new Error('the channel was closed')));
      const line: Line = { connection, channel, fail };
      const broken = failed.then((error) => Promise.reject(error));
      await Promise.race([setup(line), broken]);
      return { line, failed };
    } catch (error) {
      lost?.();
      await hangUp(connection);
      throw error;
    }
  };

  const hold = async ({ line, failed }: Awaited<ReturnType<typeof open>>) => {
    current = line;
    const since = Date.now();
    const reason = await failed;
    current = undefined;
    lost?.();
    await hangUp(line.connection);
    if (!closing.signal.aborted) logger.warn({ err: reason, link: name }, 'the event bus went away');
    return Date.now() - since > steadyMs;
  };

  const first = async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await open();
      } catch (error) {
        if (attempt >= firstAttempts) throw error;
        logger.warn({ err: error, link: name }, 'the event bus is not there yet');
        await aMoment(growingPause(attempt, shortestPauseMs, longestPauseMs));
      }
    }
  };

  const keep = async (opened: Awaited<ReturnType<typeof open>>) => {
    let failures = (await hold(opened)) ? 0 : 1;
    while (!closing.signal.aborted) {
      const pauseMs = growingPause(failures, shortestPauseMs, longestPauseMs);
      await aMoment(pauseMs, undefined, { signal: closing.signal }).catch(() => {});
      if (closing.signal.aborted) return;
      try {
        const again = await open();
        if (closing.signal.aborted) again.line.fail(new Error('closed'));
        metrics.busReconnects.inc({ link: name });
        logger.info({ link: name }, 'the event bus is back');
        failures = (await hold(again)) ? 0 : failures + 1;
      } catch (error) {
        failures++;
        logger.warn({ err: error, link: name }, 'the event bus is still away');
      }
    }
  };

  const kept = keep(await first());
  return {
    line: () => current,
    async close() {
      closing.abort();
      current?.fail(new Error('closed'));
      await kept;
    },
  };
}
