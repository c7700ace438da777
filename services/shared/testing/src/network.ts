import { randomBytes, randomUUID } from 'node:crypto';
import { type Client, createClient, type ServiceName, type WebSettings } from '@wayquest/contracts';
import type { Gateway } from '@wayquest/gateway';
import { type AssemblyOptions, assemble } from '@wayquest/local';
import { createLogger, type EventBus, type Logger, type Service } from '@wayquest/platform';
import jwt from 'jsonwebtoken';
import { needBacking } from './backing.ts';
import { dropDatabases } from './databases.ts';
import { eventually } from './eventually.ts';
import { testKeys } from './keys.ts';
import { storeUrl } from './store.ts';
import { startInProcessBus, startRabbitMqBus } from './test-bus.ts';

export interface NetworkOptions {
  /** In-process if not said. RabbitMQ must be there: see `describeWith`. */
  bus?: 'in-process' | 'rabbitmq';
  logger?: Logger;
  /** The built web app, for the gateway to serve. */
  webDirectory?: string;
  /** Whether calls and attempts are limited as in production; without limits if not said. */
  limits?: boolean;
  /** Of the gateway; a free one if not said. */
  port?: number;
  /** Who the places service asks, and how. */
  places?: AssemblyOptions['places'];
  /** What pages are told, of the map above all; as in production if not said. */
  webSettings?: WebSettings;
}

export interface ForgedClaims {
  sub: string;
  username: string;
  admin: boolean;
  jti: string;
  iat: number;
  exp: number;
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
  /** A token that was never given out: of somebody, an admin if the claims say so, or long expired. */
  signToken(claims?: Partial<ForgedClaims>, privateKey?: string): string;
  /** Waits until nothing is under way: no event waits in an outbox or on the bus. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

const unlimited = { points: 1_000_000, seconds: 1 };
const withoutLimits = {
  attemptLimits: { accountAndAddress: unlimited, account: unlimited, address: unlimited, signup: unlimited },
  rateLimits: { perAddress: unlimited, perCaller: unlimited, attempts: unlimited },
  // What a gateway does about slow services is tested with services that are slow on purpose.
  patience: { connectMs: 30_000, headersMs: 60_000 },
};
const withoutPlacesLimit = { callLimit: unlimited };

/** Starts a network; one for each test file is the usual. */
export async function startNetwork(options: NetworkOptions = {}): Promise<Network> {
  const { privateKey, publicKey } = testKeys();
  const mongoUrl = storeUrl();
  const databasePrefix = `test_${randomBytes(6).toString('hex')}`;
  const logger =
    options.logger ?? createLogger({ name: 'test', level: process.env.WAYQUEST_TEST_LOG || 'silent' });
  const bus =
    options.bus === 'rabbitmq'
      ? await startRabbitMqBus(await needBacking('rabbitmq'), logger)
      : startInProcessBus(logger);
  const all = assemble({
    logger,
    bus,
    mongoUrl,
    databasePrefix,
    privateKey,
    publicKey,
    port: options.port ?? 0,
    ...(options.webDirectory && { webDirectory: options.webDirectory }),
    ...(options.webSettings && { webSettings: options.webSettings }),
    ...(!options.limits && withoutLimits),
    places: { ...(!options.limits && withoutPlacesLimit), ...options.places },
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
    signToken(claims = {}, key = privateKey) {
      const now = Math.floor(Date.now() / 1_000);
      const whole: ForgedClaims = {
        sub: '1',
        username: 'somebody',
        admin: false,
        jti: randomUUID(),
        iat: now,
        exp: now + 3_600,
        ...claims,
      };
      return jwt.sign(whole, key, { algorithm: 'RS256' });
    },
    // Twice, since between one look and the next an event can go from an outbox over the bus into another outbox.
    settle: async () => {
      await eventually(async () => (await isSettled()) && (await isSettled()), {
        withinMs: 30_000,
        everyMs: 10,
      });
    },
    async stop() {
      await all.stop();
      await bus.close();
      await dropDatabases(
        mongoUrl,
        Object.keys(all.services).map((service) => `${databasePrefix}_${service}`),
      );
    },
  };
}
