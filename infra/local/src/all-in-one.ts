import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { googleConfig } from '@wayquest/auth';
import { type ServiceName, subscriptions } from '@wayquest/contracts';
import { webSettingsOf } from '@wayquest/gateway';
import { outsideConfig } from '@wayquest/places';
import {
  connectRabbitMq,
  connectRedis,
  createInProcessBus,
  type EventBus,
  type Logger,
  type Runnable,
  startManagement,
} from '@wayquest/platform';
import { assemble } from './assembly.ts';
import { makeDemo } from './demo/make-demo.ts';
import { keysIn } from './keys.ts';
import type { AllInOneSettings } from './settings.ts';
import { openStore } from './store.ts';

const builtWebApp = fileURLToPath(new URL('../../../web/dist', import.meta.url));

const serviceNames = Object.keys(subscriptions) as ServiceName[];

export interface AllInOne extends Runnable {
  /** Where people find it, once started. */
  url(): string;
  /** At the first start, and if the settings do not say otherwise: people and challenges to look at. */
  welcome(): Promise<void>;
}

/** Everything in one process, on the embedded store and the in-process bus where the settings name no others. */
export function createAllInOne(settings: AllInOneSettings, logger: Logger): AllInOne {
  const { DATA_DIR, PORT, HOST, MANAGEMENT_PORT, MONGO_URL, AMQP_URL, REDIS_URL, PUBLIC_URL } = settings;
  const started: (() => Promise<unknown>)[] = [];
  let url = '';

  const startStore = async () => {
    if (MONGO_URL) return MONGO_URL;
    const store = await openStore(DATA_DIR, logger);
    started.push(store.stop);
    return store.url;
  };

  const startBus = async (): Promise<EventBus> => {
    const bus = AMQP_URL
      ? await connectRabbitMq({ url: AMQP_URL, logger })
      : createInProcessBus({ logger, services: serviceNames });
    started.push(bus.close);
    return bus;
  };

  const startRedis = () => {
    const redis = REDIS_URL ? connectRedis(REDIS_URL, logger) : undefined;
    if (redis) started.push(async () => redis.disconnect());
    return redis;
  };

  const stop = async () => {
    for (const stopOne of started.splice(0).reverse()) await stopOne();
  };

  const start = async () => {
    await mkdir(DATA_DIR, { recursive: true });
    const { privateKey, publicKey } = await keysIn(DATA_DIR);
    const all = assemble({
      logger,
      bus: await startBus(),
      mongoUrl: await startStore(),
      databasePrefix: 'wayquest',
      privateKey,
      publicKey,
      port: PORT,
      host: HOST,
      redis: startRedis(),
      google: googleConfig(settings),
      publicUrl: PUBLIC_URL,
      places: { outside: outsideConfig(settings), readAhead: true },
      webSettings: webSettingsOf(settings),
      // In one process nobody is down while the others are up, only busy.
      patience: { connectMs: 10_000 },
      webDirectory: existsSync(builtWebApp) ? builtWebApp : undefined,
    });
    started.push(all.stop);
    await all.start();
    url = `http://localhost:${new URL(all.gateway.url()).port}`;
    if (MANAGEMENT_PORT !== undefined) {
      const management = await startManagement({ port: MANAGEMENT_PORT, ready: all.ready });
      started.push(management.stop);
    }
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
    async welcome() {
      const { privateKey } = await keysIn(DATA_DIR);
      if (settings.DEMO === '1') await makeDemo({ url, directory: DATA_DIR, secret: privateKey });
    },
  };
}
