import type { Server } from 'node:http';
import type { ServiceName } from '@wayquest/contracts';
import type { Connection } from 'mongoose';
import type { Consumers, EventBus, Subscription } from '../bus/event-bus.ts';
import { createOutboxes, type Outboxes } from '../bus/outbox.ts';
import { createHttpApp, type HttpApp } from '../http/http-app.ts';
import { listen, type RunningServer } from '../http/http-server.ts';
import { createTokenGuard, type TokenGuard } from '../http/token-guard.ts';
import type { Timeouts } from '../process/timeouts.ts';
import { createIdAllocator, type IdAllocator } from '../store/id-allocator.ts';
import { connectMongo, createStoreCheck, prepareCollections } from '../store/mongo.ts';
import { createRevocations, type RevocationData, type Revocations } from '../store/revocations.ts';
import type { Logger } from '../telemetry/logging.ts';
import { replicaRequestModel } from './replica-requests.ts';
import { createRetellings, type Retell } from './retellings.ts';

/** What every service is given by whoever runs it. */
export interface ServiceDeps {
  logger: Logger;
  bus: EventBus;
  mongoUrl: string;
  /** The service's database is `<prefix>_<service>`. */
  databasePrefix: string;
  /** PEM; tokens are verified with it. */
  publicKey: string;
  /** 0 picks a free one. */
  port: number;
  host?: string;
  /** How many calls one account may make in a minute, where a costly one counts for several; any number if not said. */
  callsPerAccount?: number;
  /** Those of production if not given. */
  timeouts?: Timeouts | undefined;
}

/** What a service builds its operations on. */
export interface ServiceKit {
  logger: Logger;
  connection: Connection;
  ids: IdAllocator;
  outboxes: Outboxes;
  revocations: Revocations;
  guard: TokenGuard;
}

/** What makes a service different from the others. */
export interface ServiceParts<S extends ServiceName> {
  /** What the store needs, beside its indexes, before the service answers; it may run any number of times. */
  prepare?(): Promise<void>;
  routes(http: HttpApp): void;
  /** Revocations, and what replicas are made again with, are handled for everyone. */
  consumers: Omit<Consumers<S>, 'token.revoked.v1' | 'replica.requested.v1' | 'replica.told.v1'>;
  /** All that it owns and others keep, for services that lost their replica. */
  retell?: Retell;
  /** Takes out of what is kept of another service all that nothing was heard of since a moment. */
  forget?: Partial<Record<ServiceName, (since: Date) => Promise<void>>>;
  /** After a revocation was kept. */
  revoked?(data: RevocationData): Promise<void>;
  background?: Background;
}

/** What a service does besides answering calls and events: sockets on its HTTP server, say, or work on a timer. */
export interface Background {
  start(server: Server): Promise<void>;
  /** Before the HTTP server closes. */
  stop(): Promise<void>;
  /** When nothing uses it any more. */
  close(): Promise<void>;
  ready(): boolean;
}

/** A part of Wayquest that can be started and stopped: production, the all-in-one runner and the tests use the same. */
export interface Service {
  name: string;
  start(): Promise<void>;
  /** Finishes what is in hand, sends what is in the outbox, closes. */
  stop(): Promise<void>;
  ready(): Promise<boolean>;
  /** Whether no event of it waits to be sent, and nothing is to be told again. */
  settled(): Promise<boolean>;
  /** Where it listens, once started. */
  url(): string;
}

/** Assembles a service from what it is given and what makes it different. */
export function createService<S extends ServiceName>(
  name: S,
  deps: ServiceDeps,
  assemble: (kit: ServiceKit) => ServiceParts<S>,
): Service {
  const {
    bus,
    mongoUrl,
    databasePrefix,
    publicKey,
    port,
    host = '127.0.0.1',
    callsPerAccount,
    timeouts,
  } = deps;
  const logger = deps.logger.child({ service: name });
  let connection: Connection | undefined;
  let storeAnswers = async () => false;
  let outboxes: Outboxes | undefined;
  let retellings: ReturnType<typeof createRetellings> | undefined;
  let server: RunningServer | undefined;
  let subscription: Subscription | undefined;
  let background: Background | undefined;

  return {
    name,
    async start() {
      connection = await connectMongo({
        url: mongoUrl,
        database: `${databasePrefix}_${name}`,
        logger,
        timeouts,
      });
      storeAnswers = createStoreCheck(connection);
      outboxes = createOutboxes({ bus, logger });
      const revocations = createRevocations(connection);
      const guard = createTokenGuard({ publicKey, revocations });
      const ids = createIdAllocator(connection);
      outboxes.of(replicaRequestModel(connection));
      const parts = assemble({ logger, connection, ids, outboxes, revocations, guard });
      const { retell } = parts;
      retellings = retell && createRetellings({ name, connection, bus, logger, retell });
      await prepareCollections(connection, parts.prepare);

      const http = createHttpApp({ service: name, logger, guard, callsPerAccount });
      parts.routes(http);
      http.finish();
      subscription = await bus.subscribe(name, {
        ...parts.consumers,
        'token.revoked.v1': async ({ data }) => {
          await revocations.add(data);
          guard.forgetCached(data);
          await parts.revoked?.(data);
        },
        'replica.requested.v1': async ({ id, data }) => {
          // What is its own it has not lost.
          if (data.service !== name) await retellings?.request(data, id);
        },
        'replica.told.v1': async ({ data: { owner, since } }) => {
          await parts.forget?.[owner]?.(new Date(since));
        },
      });
      outboxes.start();
      retellings?.start();
      server = await listen(http.express, { port, host });
      background = parts.background;
      await background?.start(server.server);
      logger.info({ port: server.port }, 'listening');
    },
    async stop() {
      await background?.stop();
      await server?.stop();
      await subscription?.close();
      await retellings?.stop();
      await outboxes?.stop();
      await background?.close();
      // From here on its going away is no news.
      connection?.removeAllListeners('disconnected');
      await connection?.close();
      logger.info('stopped');
    },
    ready: async () =>
      server !== undefined && bus.ready() && (background?.ready() ?? true) && (await storeAnswers()),
    settled: async () => ((await outboxes?.empty()) ?? true) && ((await retellings?.none()) ?? true),
    url: () => `http://${host}:${server?.port}`,
  };
}
