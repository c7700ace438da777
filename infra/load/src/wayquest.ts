import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type ServiceName, subscriptions } from '@wayquest/contracts';
import { assemble } from '@wayquest/local';
import { createInProcessBus, createLogger } from '@wayquest/platform';
import { dropDatabases, generateKeys } from '@wayquest/testing';
import { fill } from './fill.ts';
import { say } from './settings.ts';

const seconds = (since: number) => `${((performance.now() - since) / 1_000).toFixed(1)} s`;

const builtWebApp = fileURLToPath(new URL('../../../web/dist', import.meta.url));

/** All of Wayquest with so many challenges in the store. */
export interface Wayquest {
  /** The gateway's. */
  url: string;
  stop(): Promise<void>;
}

export async function startWayquest(mongoUrl: string, challenges: number): Promise<Wayquest> {
  const databasePrefix = `load_${randomBytes(6).toString('hex')}`;
  const logger = createLogger({ name: 'load', level: 'error' });
  const services = Object.keys(subscriptions) as ServiceName[];
  const bus = createInProcessBus({ logger, services });
  const filling = performance.now();
  await fill({ mongoUrl, databasePrefix, logger }, challenges);
  say(`${challenges} challenges were stored in ${seconds(filling)}`);

  const plenty = { points: 1_000_000, seconds: 1 };
  const all = assemble({
    ...{ logger, bus, mongoUrl, databasePrefix, ...generateKeys(), port: 0 },
    webDirectory: builtWebApp,
    rateLimits: { perAddress: plenty, perCaller: plenty, attempts: plenty },
  });
  const starting = performance.now();
  await all.start();
  say(`… and counted by tile, and all services started, in ${seconds(starting)}`);
  return {
    url: all.gateway.url(),
    async stop() {
      await all.stop();
      await bus.close();
      await dropDatabases(
        mongoUrl,
        services.map((service) => `${databasePrefix}_${service}`),
      );
    },
  };
}
