import { randomBytes } from 'node:crypto';
import { type Client, createClient, type ServiceName } from '@wayquest/contracts';
import type { Gateway } from '@wayquest/gateway';
import { type AssemblyOptions, assemble, assemblySettings } from '@wayquest/local';
import type { EventBus } from '@wayquest/platform/bus';
import { type Environment, loadSettings } from '@wayquest/platform/process';
import { createRedisConnections } from '@wayquest/platform/redis';
import type { Service } from '@wayquest/platform/service';
import { createLogger, type Logger } from '@wayquest/platform/telemetry';
import { needBacking } from './backing.ts';
import { dropDatabases } from './databases.ts';
import { eventually } from './eventually.ts';
import { testKeys } from './keys.ts';
import { storeUrl } from './store.ts';
import { startInProcessBus, startRabbitMqBus } from './test-bus.ts';
import { signToken } from './tokens.ts';

export interface NetworkOptions {
  /** In-process if not said. RabbitMQ must be there: see `describeWith`. */
  bus?: 'in-process' | 'rabbitmq';
  logger?: Logger;
  /** The store; the one that this test file was given if not said. */
  mongoUrl?: string;
  /** The built web app, for the gateway to serve. */
  webDirectory?: string;
  /** As an operator says them; what is not said is as in production, the environment does not count. */
  settings?: Environment;
  /** Whether calls and attempts are limited as in production; without limits if not said. */
  limits?: boolean;
  /** Of the gateway; a free one if not said. */
  port?: number;
  /** How the places service differs from the usual. It reads its gazetteer only when it is asked, if not said. */
  places?: NonNullable<AssemblyOptions['tuning']>['places'];
}

/** All of Wayquest in this process, on free ports, with databases and queues of its own. */
export interface Network {
  /** The gateway's. */
  url: string;
  mongoUrl: string;
  databasePrefix: string;
  services: Record<ServiceName, Service>;
  gateway: Gateway;
  bus: EventBus;
  logger: Logger;
  /** Calls through the gateway, in the name of the token's owner or nobody's. */
  client(token?: string): Client;
  signToken: typeof signToken;
  /** Waits until nothing is under way: no event waits in an outbox or on the bus. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

const unlimited = { points: 1_000_000, seconds: 1 };
const plenty = String(unlimited.points);
const settingsWithoutLimits = {
  LIMIT_PER_ADDRESS: plenty,
  LIMIT_PER_CALLER: plenty,
  LIMIT_ATTEMPTS: plenty,
  LIMIT_AT_ONCE_PER_ADDRESS: plenty,
  LIMIT_AT_ONCE_PER_CALLER: plenty,
  LIMIT_SOCKETS: plenty,
  CHALLENGES_PER_MINUTE: plenty,
  CHALLENGES_PER_DAY: plenty,
  COMPLETIONS_PER_MINUTE: plenty,
  COMPLETIONS_PER_DAY: plenty,
  MESSAGES_PER_MINUTE: plenty,
  PICTURES_PER_HOUR: plenty,
};
const attemptLimits = {
  accountAndAddress: unlimited,
  account: unlimited,
  address: unlimited,
  signup: unlimited,
};
// What a gateway does about slow services is tested with services that are slow on purpose.
const patience = { connectMs: 30_000, headersMs: 60_000 };

/** Starts a network; one for each test file is the usual. */
export async function startNetwork(options: NetworkOptions = {}): Promise<Network> {
  const { privateKey, publicKey } = testKeys();
  const mongoUrl = options.mongoUrl ?? storeUrl();
  const databasePrefix = `test_${randomBytes(6).toString('hex')}`;
  const logger =
    options.logger ?? createLogger({ name: 'test', level: process.env.WAYQUEST_TEST_LOG || 'silent' });
  const bus =
    options.bus === 'rabbitmq'
      ? await startRabbitMqBus(await needBacking('rabbitmq'), logger)
      : startInProcessBus(logger);
  const redis = createRedisConnections(logger);
  const settings = loadSettings(assemblySettings, {
    // What a browser trusts without TLS.
    HOST: '127.0.0.1',
    ...(!options.limits && settingsWithoutLimits),
    WEB_DIRECTORY: options.webDirectory,
    ...options.settings,
  });
  const all = assemble(settings, {
    logger,
    bus,
    mongoUrl,
    databasePrefix,
    privateKey,
    publicKey,
    port: options.port ?? 0,
    redis: redis.to,
    ...(!options.limits && { patience }),
    tuning: {
      ...(!options.limits && { auth: { attemptLimits } }),
      places: { readAhead: false, ...(!options.limits && { callLimit: unlimited }), ...options.places },
    },
  });
  await all.start();

  const isSettled = async () => {
    const settled = await Promise.all(Object.values(all.services).map((service) => service.settled()));
    return !settled.includes(false) && (await bus.idle());
  };

  return {
    url: all.gateway.url(),
    mongoUrl,
    databasePrefix,
    services: all.services,
    gateway: all.gateway,
    bus,
    logger,
    client: (token) => createClient({ baseUrl: all.gateway.url(), token: () => token }),
    signToken,
    // Twice, since between one look and the next an event can go from an outbox over the bus into another outbox.
    settle: async () => {
      await eventually(async () => (await isSettled()) && (await isSettled()), {
        withinMs: 30_000,
        everyMs: 10,
      });
    },
    async stop() {
      await all.stop();
      redis.close();
      await bus.close();
      await dropDatabases(
        mongoUrl,
        Object.keys(all.services).map((service) => `${databasePrefix}_${service}`),
      );
    },
  };
}
