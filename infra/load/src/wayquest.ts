import { randomBytes } from 'node:crypto';
import { serviceNames } from '@wayquest/contracts';
import { builtWebApp } from '@wayquest/gateway';
import { assemble, assemblySettings } from '@wayquest/local';
import { loadSettings } from '@wayquest/platform/process';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  attemptsWithoutLimits,
  dropDatabases,
  generateKeys,
  settingsWithoutLimits,
  startInProcessBus,
} from '@wayquest/testing';
import { fill } from './fill.ts';
import { say } from './settings.ts';

const seconds = (since: number) => `${((performance.now() - since) / 1_000).toFixed(1)} s`;

/** All of Wayquest with this number of challenges in the store. */
export interface Wayquest {
  /** URL of the gateway. */
  url: string;
  stop(): Promise<void>;
}

export async function startWayquest(mongoUrl: string, challenges: number): Promise<Wayquest> {
  const databasePrefix = `load_${randomBytes(6).toString('hex')}`;
  const logger = createLogger({ name: 'load', level: 'error' });
  const bus = startInProcessBus(logger);
  const filling = performance.now();
  await fill({ mongoUrl, databasePrefix, logger }, challenges);
  say(`${challenges} challenges were stored in ${seconds(filling)}`);

  const all = assemble(loadSettings(assemblySettings, settingsWithoutLimits), {
    ...{ logger, bus, mongoUrl, databasePrefix, ...generateKeys(), port: 0 },
    // The settings name none.
    redis: () => undefined,
    webDirectory: builtWebApp,
    tuning: { auth: { attemptLimits: attemptsWithoutLimits } },
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
        serviceNames.map((service) => `${databasePrefix}_${service}`),
      );
    },
  };
}
