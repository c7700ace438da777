import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceNames } from '@wayquest/contracts';
import { assemble, assemblySettings } from '@wayquest/local';
import { mailDirectoryIn } from '@wayquest/platform/mail';
import { createRedisConnections } from '@wayquest/platform/redis';
import { loadSettings } from '@wayquest/platform/settings';
import { createLogger, type Logger } from '@wayquest/platform/telemetry';
import { eventually } from '../eventually.ts';
import { mailsIn } from '../mails.ts';
import { addFormerCollections, dropDatabases } from '../store.ts';
import { closeTabsOf } from '../tabs.ts';
import { createSettledCheck, startInProcessBus, startRabbitMqBus } from '../test-bus.ts';
import { signToken, testKeys } from '../tokens.ts';
import { createCalls } from './calls.ts';
import { createLogRecorder, type LogRecorder } from './log-recorder.ts';
import type { InProcessOptions, Network } from './network.ts';
import { findServers } from './servers.ts';
import {
  attemptsWithoutLimits,
  longTimeouts,
  settingsWithoutLimits,
  testPasswordLimits,
  unlimited,
} from './settings.ts';
import { pendingOutboxes, trackNetwork } from './state.ts';

// The gateway's timeouts are tested with services that are slow on purpose.
const upstreamTimeouts = { connectMs: 30_000, headersMs: 60_000 };

/** Creates a logger that records lines, and prints those of the level `WAYQUEST_TEST_LOG`. */
function testLogger(lines: LogRecorder): Logger {
  const level = process.env.WAYQUEST_TEST_LOG;
  const write = (line: string) => {
    lines.addShared(line);
    if (level) process.stdout.write(line);
  };
  return createLogger({ name: 'test', level: level || 'info', destination: { write } });
}

/** Starts a network in this process. */
export async function startInProcess(options: InProcessOptions): Promise<Network> {
  const { services: names = serviceNames, limits = false, timeouts = longTimeouts, clock } = options;
  const { privateKey, publicKey } = testKeys();
  const databasePrefix = `test_${randomBytes(6).toString('hex')}`;
  const dataDirectory = join(tmpdir(), databasePrefix);
  const servers = await findServers({ ...options, bus: options.bus ?? 'in-process' });
  const mongoUrl = servers.mongo;
  const lines = createLogRecorder();
  const logger = options.logger ?? testLogger(lines);
  const bus = servers.bus
    ? await startRabbitMqBus(servers.bus, logger)
    : startInProcessBus(logger, names, clock);
  const isSettled = createSettledCheck(bus, () => names.map((name) => assembled.services[name]));
  const redis = createRedisConnections(logger, { program: 'all-in-one', timeouts });
  const settings = loadSettings(assemblySettings, {
    // Browsers trust this address without TLS.
    HOST: '127.0.0.1',
    DATA_DIR: dataDirectory,
    ...(!limits && settingsWithoutLimits),
    WEB_DIRECTORY: options.webDirectory,
    REDIS_URL: servers.redis,
    ...options.settings,
  });
  const assembled = assemble(settings, {
    logger,
    bus,
    mongoUrl,
    databasePrefix,
    privateKey,
    publicKey,
    port: options.port ?? 0,
    only: names,
    redis: redis.connectionTo,
    timeouts,
    clock,
    ...(!limits && { upstreamTimeouts }),
    tuning: {
      auth: {
        ...(!limits && { attemptLimits: attemptsWithoutLimits, passwordLimits: testPasswordLimits }),
        ...options.auth,
      },
      challenges: options.challenges,
      notifications: options.notifications,
      places: { preload: false, ...(!limits && { callLimit: unlimited }), ...options.places },
    },
  });
  const databases = names.map((service) => `${databasePrefix}_${service}`);
  if (options.isUpgrade) await addFormerCollections(mongoUrl, databases);
  await assembled.start();
  const url = assembled.gateway.url();

  const untrack = trackNetwork(async () => {
    const states = names.map(async (name) => {
      const [isReady, hasSettled] = await Promise.all([
        assembled.services[name].ready(),
        assembled.services[name].isIdle(),
      ]);
      return `  ${name}: ${isReady ? 'ready' : 'NOT ready'}, ${hasSettled ? 'nothing' : 'EVENTS'} to publish`;
    });
    const outboxes = await pendingOutboxes(mongoUrl, databases);
    return [
      `The network at ${url}; its bus is ${bus.ready() ? 'ready' : 'NOT ready'} and ${(await bus.idle()) ? 'idle' : 'NOT idle'}:`,
      ...(await Promise.all(states)),
      ...outboxes.map((outbox) => `  waits in an outbox: ${outbox}`),
    ].join('\n');
  });
  const stop = async () => {
    untrack();
    closeTabsOf(url);
    await assembled.stop();
    redis.close();
    await bus.close();
    await dropDatabases(mongoUrl, databases);
    await rm(dataDirectory, { recursive: true, force: true });
    lines.stop();
    await servers.release();
  };

  return {
    url,
    names,
    mongoUrl,
    databasePrefix,
    dataDirectory,
    mailsTo: mailsIn(mailDirectoryIn(dataDirectory)),
    services: assembled.services,
    gateway: assembled.gateway,
    bus,
    logger,
    client: createCalls({ baseUrl: () => url, services: names, unavailableReason: () => undefined }),
    signToken,
    publish: (event) => bus.publish(event),
    settle: async () => {
      await eventually(isSettled, { withinMs: 60_000, everyMs: 10 });
    },
    logs: lines.of,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
