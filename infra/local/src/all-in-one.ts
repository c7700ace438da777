import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceNames } from '@wayquest/contracts';
import { builtWebApp } from '@wayquest/gateway';
import {
  connectRabbitMq,
  createFailedDeliveries,
  createInProcessBus,
  type EventBus,
} from '@wayquest/platform/bus';
import { startManagement } from '@wayquest/platform/http';
import type { Runnable } from '@wayquest/platform/process';
import { createRedisConnections } from '@wayquest/platform/redis';
import { connectOrFail, timeoutsFrom } from '@wayquest/platform/settings';
import { connectMongo, prepareStore } from '@wayquest/platform/store';
import type { Logger } from '@wayquest/platform/telemetry';
import { type Assembly, assemble } from './assembly.ts';
import { makeDemo } from './demo/make-demo.ts';
import { keysIn, withPublicHalf } from './keys.ts';
import type { AllInOneSettings } from './settings.ts';
import { makePrivate, openStore } from './store.ts';

const databasePrefix = 'wayquest';

/** The embedded store is in this process, so it may be slow, but it cannot be away. */
const embeddedStoreCallMs = 60_000;

const settledPollMs = 20;

export interface AllInOne extends Runnable {
  /** The URL for browsers, once started. */
  url(): string;
  /**
   * At the first start, creates people and challenges as demo data in the background, unless the settings turn that
   * off.
   */
  welcome(): void;
}

/** Fails early if the port is in use. */
async function assertPortFree(port: number, host: string): Promise<void> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

/** Everything in one process, with the embedded store and the in-process bus unless others are configured. */
export function createAllInOne(settings: AllInOneSettings, logger: Logger): AllInOne {
  const { DATA_DIR, HOST, PORT, MANAGEMENT_PORT, STORE_PORT, MONGO_URL, AMQP_URL, JWT_PRIVATE_KEY } =
    settings;
  const timeouts = timeoutsFrom(
    MONGO_URL ? settings : { ...settings, STORE_TIMEOUT_MS: embeddedStoreCallMs },
  );
  const stopFunctions: (() => Promise<unknown>)[] = [];
  const stopping = new AbortController();
  let demoData = Promise.resolve();
  let assembly: Assembly | undefined;
  let url = '';

  const startStore = async () => {
    if (MONGO_URL) return MONGO_URL;
    const store = await openStore(DATA_DIR, { logger, port: STORE_PORT });
    stopFunctions.push(store.stop);
    return store.url;
  };

  const startInProcessBus = async (mongoUrl: string): Promise<EventBus> => {
    const connection = await connectMongo({
      url: mongoUrl,
      database: `${databasePrefix}_bus`,
      logger,
      timeouts,
    });
    stopFunctions.push(async () => {
      // From here on a lost connection is expected.
      connection.removeAllListeners('disconnected');
      await connection.close();
    });
    const failed = createFailedDeliveries(connection);
    await prepareStore(connection);
    return createInProcessBus({ logger, services: serviceNames, failed });
  };

  const startBus = async (mongoUrl: string): Promise<EventBus> => {
    const bus = AMQP_URL
      ? await connectOrFail('AMQP_URL', connectRabbitMq({ url: AMQP_URL, logger }))
      : await startInProcessBus(mongoUrl);
    stopFunctions.push(bus.close);
    return bus;
  };

  const keys = async () => (JWT_PRIVATE_KEY ? withPublicHalf(JWT_PRIVATE_KEY) : keysIn(DATA_DIR, logger));

  const stop = async () => {
    stopping.abort();
    await demoData;
    for (const stopOne of stopFunctions.splice(0).reverse()) await stopOne();
  };

  const start = async () => {
    await assertPortFree(PORT, HOST);
    await makePrivate(DATA_DIR);
    const redis = createRedisConnections(logger, {
      program: 'all-in-one',
      installation: databasePrefix,
      timeouts,
    });
    stopFunctions.push(async () => redis.close());
    const mongoUrl = await startStore();
    const keyPair = await keys();
    const all = assemble(settings, {
      ...keyPair,
      logger,
      bus: await startBus(mongoUrl),
      mongoUrl,
      databasePrefix,
      port: PORT,
      defaultPublicUrl: `http://localhost:${PORT}`,
      redis: redis.connectionTo,
      timeouts,
      webDirectory: builtWebApp,
      // In one process a service that does not respond is busy, not down.
      upstreamTimeouts: { connectMs: 10_000 },
    });
    stopFunctions.push(all.stop);
    await all.start();
    assembly = all;
    url = `http://localhost:${new URL(all.gateway.url()).port}`;
    if (MANAGEMENT_PORT !== undefined) {
      const management = await startManagement({ port: MANAGEMENT_PORT, host: HOST, ready: all.ready });
      stopFunctions.push(management.stop);
    }
  };

  /** Without a broker, an event is relayed until its subscribers have handled it. */
  const settled = async () => {
    const services = Object.values(assembly?.services ?? {});
    while (!stopping.signal.aborted && services.some((service) => service.isRelaying()))
      await sleep(settledPollMs);
  };

  return {
    async start() {
      try {
        await start();
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
    url: () => url,
    welcome() {
      if (settings.DEMO !== '1') return;
      const { signal } = stopping;
      demoData = makeDemo({ url, directory: DATA_DIR, settled, logger, signal });
    },
  };
}
