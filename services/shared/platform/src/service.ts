import type { Server } from 'node:http';
import { type Event, type EventName, type ServiceName, subscriptions } from '@wayquest/contracts';
import type { Connection, Model } from 'mongoose';
import type { Consumers, EventBus, Subscription } from './event-bus.ts';
import { createHttpApp, type HttpApp } from './http-app.ts';
import { listen, type RunningServer } from './http-server.ts';
import { createIdAllocator, type IdAllocator } from './id-allocator.ts';
import type { Logger } from './logging.ts';
import { connectMongo, prepareCollections } from './mongo.ts';
import { createOutbox, type Outbox, type WithOutbox } from './outbox.ts';
import { replicaRequestModel } from './replica-requests.ts';
import { createRevocations, type RevocationData, type Revocations } from './revocations.ts';
import { createTokenGuard, type TokenGuard } from './token-guard.ts';

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
}

/** What a service builds its operations on. */
export interface ServiceKit {
  logger: Logger;
  connection: Connection;
  ids: IdAllocator;
  outbox: Outbox;
  revocations: Revocations;
  guard: TokenGuard;
}

/** What makes a service different from the others. */
export interface ServiceParts<S extends ServiceName> {
  /** What the store needs, beside its indexes, before the service answers; it may run any number of times. */
  prepare?(): Promise<void>;
  routes(http: HttpApp): void;
  /** Revocations are handled for everyone. */
  consumers: Omit<Consumers<S>, 'token.revoked.v1' | 'replica.requested.v1'>;
  /** What is so now, as the events that told of it, for services that lost their replica. */
  retell?(): AsyncIterable<Event>;
  /** After a revocation was kept. */
  revoked?(data: RevocationData): Promise<void>;
  /** What the service does beside answering calls. */
  beside?: Beside;
}

/** More of a service than calls and events: sockets on its HTTP server, say. */
export interface Beside {
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
  /** Whether no event of it waits to be sent. */
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
  const { bus, mongoUrl, databasePrefix, publicKey, port, host = '127.0.0.1' } = deps;
  const logger = deps.logger.child({ service: name });
  let connection: Connection | undefined;
  let outbox: Outbox | undefined;
  let server: RunningServer | undefined;
  let subscription: Subscription | undefined;
  let beside: Beside | undefined;

  return {
    name,
    async start() {
      connection = await connectMongo({ url: mongoUrl, database: `${databasePrefix}_${name}`, logger });
      const { models } = connection;
      const withOutbox = () =>
        Object.values(models).filter((model): model is Model<WithOutbox> => !!model.schema.path('outbox'));
      outbox = createOutbox({ bus, logger }, withOutbox);
      const revocations = createRevocations(connection);
      const guard = createTokenGuard({ publicKey, revocations });
      const ids = createIdAllocator(connection);
      replicaRequestModel(connection);
      const parts = assemble({ logger, connection, ids, outbox, revocations, guard });
      await prepareCollections(connection);
      await parts.prepare?.();

      const http = createHttpApp({ service: name, logger, guard });
      parts.routes(http);
      http.finish();
      subscription = await bus.subscribe(name, {
        ...parts.consumers,
        'token.revoked.v1': async ({ data }) => {
          await revocations.add(data);
          guard.forgetCached();
          await parts.revoked?.(data);
        },
        'replica.requested.v1': async ({ data: { service: to } }) => {
          // What is its own it has not lost.
          if (to === name) return;
          const wanted: readonly EventName[] = subscriptions[to];
          for await (const event of parts.retell?.() ?? []) {
            if (wanted.includes(event.name)) await bus.publish({ ...event, replayed: true }, { to });
          }
        },
      });
      outbox.start();
      server = await listen(http.express, { port, host });
      beside = parts.beside;
      await beside?.start(server.server);
      logger.info({ port: server.port }, 'listening');
    },
    async stop() {
      await beside?.stop();
      await server?.stop();
      await subscription?.close();
      await outbox?.stop();
      await beside?.close();
      // From here on its going away is no news.
      connection?.removeAllListeners('disconnected');
      await connection?.close();
      logger.info('stopped');
    },
    ready: async () =>
      server !== undefined && connection?.readyState === 1 && bus.ready() && (beside?.ready() ?? true),
    settled: async () => (await outbox?.empty()) ?? true,
    url: () => `http://${host}:${server?.port}`,
  };
}
