import type { Server } from 'node:http';
import { type Event, ownDataOperations, type ServiceName } from '@wayquest/contracts';
import type { Connection } from 'mongoose';
import { type Clock, systemClock } from '../async/clock.ts';
import type { Timeouts } from '../async/deadline.ts';
import {
  type AnyEventHandlers,
  dispatch,
  type EventBus,
  type EventHandlers,
  type Subscription,
} from '../bus/event-bus.ts';
import { createErasedUsers, type ErasedUsers } from '../erasure/erased-users.ts';
import { createErasure, type Erasure } from '../erasure/erasure.ts';
import { deletedAccountsName, placeCategory, standardNames } from '../former/migrations.ts';
import { createHttpApp, type HttpApp } from '../http/http-app.ts';
import { listen, type RunningServer } from '../http/http-server.ts';
import { createOutboxes, type Outboxes } from '../outbox/outbox.ts';
import type { DynamicText } from '../settings/dynamic-text.ts';
import { createIdAllocator, type IdAllocator } from '../store/id-allocator.ts';
import type { Migration } from '../store/migrations.ts';
import { connectMongo, countWaiting, createStoreCheck, prepareStore } from '../store/mongo.ts';
import type { Logger } from '../telemetry/logging.ts';
import { watchPool } from '../telemetry/metrics.ts';
import { initSecurityEventMetrics } from '../telemetry/security-events.ts';
import { createRevocations, type RevocationData, type Revocations } from '../tokens/revocations.ts';
import {
  type Caller,
  createTokenGuard,
  type NewAccounts,
  type TokenGuard,
  weightOf,
} from '../tokens/token-guard.ts';
import { createOwnData, type OwnDataKind } from './own-data.ts';
import {
  createReplicaReplay,
  type ReplicaReplay,
  replicaRequestModel,
  type Snapshot,
} from './replica-replay.ts';

/** The dependencies of every service. */
export interface ServiceDeps {
  logger: Logger;
  bus: EventBus;
  mongoUrl: string;
  /** The service's database is `<prefix>_<service>`. */
  databasePrefix: string;
  /** PEM, one key or several; tokens are verified with them. */
  publicKey: DynamicText;
  /** 0 picks a free one. */
  port: number;
  host?: string;
  /** Maximum calls of an account per minute, where an expensive call counts several times. Default: no limit. */
  callsPerAccount?: number;
  /** Default: the timeouts of production. */
  timeouts?: Timeouts | undefined;
  /** Default: the system clock. */
  clock?: Clock | undefined;
  /** Default: no account counts as new. */
  newAccounts?: NewAccounts;
}

/** What a service's operations are built on. */
export interface ServiceKit {
  logger: Logger;
  clock: Clock;
  connection: Connection;
  ids: IdAllocator;
  outboxes: Outboxes;
  revocations: Revocations;
  erasedUsers: ErasedUsers;
  guard: TokenGuard;
  /** How many times an action of the caller counts against a limit. */
  weightOf(caller: Caller): number;
}

/** The parts of a specific service. */
export interface ServiceParts<S extends ServiceName> {
  /** Changes of stored data, the oldest first. One process runs those that the store lacks, before the service responds. */
  migrations?: readonly Migration[];
  /** Runs at each start, after the migrations and before the service responds. Idempotent. */
  prepare?(): Promise<void>;
  routes(http: HttpApp): void;
  /** Revocations and replica rebuilds are handled here for all services. */
  consumers: Omit<
    EventHandlers<S>,
    'token.revoked.v1' | 'replica.rebuild-requested.v1' | 'replica.snapshot-completed.v1' | 'user.deleted.v1'
  >;
  /**
   * Erases a user's data after the account was deleted. Runs again whenever a late event about them arrives, so that
   * events in any order leave nothing behind.
   */
  erase?(userId: number): Promise<void>;
  /** All data about users that no other service owns, except secrets, such as password hashes. */
  ownData?: readonly OwnDataKind[];
  /** Reads the current state of everything that others replicate, for services that rebuild a replica. */
  snapshot?: Snapshot;
  /** Deletes the replica rows of another service without an event since a moment; runs after its snapshot. */
  pruneStale?: Partial<Record<ServiceName, (since: Date) => Promise<void>>>;
  /** Called after a revocation was stored. */
  onRevoked?(data: RevocationData): Promise<void>;
  background?: Background;
}

/** Work of a service beside calls and events, such as sockets on its HTTP server, or periodic tasks. */
export interface Background {
  start(server: Server): Promise<void>;
  /** Called before the HTTP server closes. */
  stop(): Promise<void>;
  /** Called when nothing uses it any more. */
  close(): Promise<void>;
  ready(): boolean;
}

/** A service that can be started and stopped; production, the all-in-one process and tests use the same. */
export interface Service {
  name: string;
  start(): Promise<void>;
  /** Finishes work in progress, publishes outboxes, and closes. */
  stop(): Promise<void>;
  ready(): Promise<boolean>;
  /** Whether this instance is relaying events from its outboxes. Asks no store. */
  isRelaying(): boolean;
  /** Whether no event waits in an outbox, and no replica replay is pending. */
  isIdle(): Promise<boolean>;
  /** The URL that it listens on, once started. */
  url(): string;
}

/** The handlers of all events of a service: its own, and those that are the same in every service. */
function handlersOf<S extends ServiceName>({
  name,
  parts: { consumers, onRevoked, pruneStale },
  revocations,
  guard,
  erasure,
  replay,
}: {
  name: S;
  parts: Pick<ServiceParts<S>, 'consumers' | 'onRevoked' | 'pruneStale'>;
  revocations: Revocations;
  guard: TokenGuard;
  erasure: Erasure;
  replay: ReplicaReplay | undefined;
}): Record<string, (delivered: Event) => Promise<void>> {
  const handlers: AnyEventHandlers = {
    ...consumers,
    'user.deleted.v1': ({ data: { id } }) => erasure.eraseUser(id),
    'token.revoked.v1': async ({ data }) => {
      await revocations.add(data);
      guard.invalidate(data);
      await onRevoked?.(data);
    },
    'replica.rebuild-requested.v1': async ({ id, data }) => {
      // It needs no replica of its own data.
      if (data.service !== name) await replay?.request(data, id);
    },
    'replica.snapshot-completed.v1': async ({ data: { owner, since } }) => {
      await pruneStale?.[owner]?.(new Date(since));
    },
  };
  return Object.fromEntries(
    Object.keys(handlers).map((event) => [
      event,
      (delivered: Event) => erasure.handleThenErase(delivered, () => dispatch(handlers, delivered)),
    ]),
  );
}

/** Creates a service from its dependencies and parts. */
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
    clock = systemClock,
  } = deps;
  const logger = deps.logger.child({ service: name });
  const newAccounts = deps.newAccounts ?? { hours: 0, weight: 1 };
  let connection: Connection | undefined;
  let stopWatching = () => {};
  let storeResponds = async () => false;
  let outboxes: Outboxes | undefined;
  let replay: ReplicaReplay | undefined;
  let server: RunningServer | undefined;
  let subscription: Subscription | undefined;
  let background: Background | undefined;
  let stopping = false;

  const ready = async () =>
    server !== undefined &&
    !stopping &&
    bus.ready() &&
    bus.responds() &&
    (background?.ready() ?? true) &&
    (await storeResponds());

  return {
    name,
    async start() {
      stopping = false;
      initSecurityEventMetrics(name);
      connection = await connectMongo({
        url: mongoUrl,
        database: `${databasePrefix}_${name}`,
        logger,
        timeouts,
      });
      stopWatching = watchPool({ service: name, to: 'store', waiting: countWaiting(connection) });
      storeResponds = createStoreCheck(connection);
      outboxes = createOutboxes({ bus, logger, service: name, clock });
      const revocations = createRevocations(connection);
      const guard = createTokenGuard({ publicKey, revocations });
      const erasedUsers = createErasedUsers(connection);
      const ids = createIdAllocator(connection);
      outboxes.forModel(replicaRequestModel(connection));
      const parts = assemble({
        logger,
        clock,
        connection,
        ids,
        outboxes,
        revocations,
        erasedUsers,
        guard,
        weightOf: (caller) => weightOf(newAccounts, caller),
      });
      const { snapshot } = parts;
      replay = snapshot && createReplicaReplay({ name, connection, bus, logger, snapshot, clock });
      const { prepare } = parts;
      const migrations = [
        standardNames(connection),
        placeCategory(connection),
        deletedAccountsName(connection),
        ...(parts.migrations ?? []),
      ];
      await prepareStore(connection, { migrations, prepare, logger, clock });

      const http = createHttpApp({ service: name, logger, guard, callsPerAccount, ready });
      parts.routes(http);
      const { ownData: kinds } = parts;
      const operation = Object.values(ownDataOperations).find(({ service }) => service === name);
      if (kinds && operation) {
        const ownData = createOwnData(kinds);
        http.serve(operation, ({ caller, query }) => ownData(caller.id, query.cursor));
      }
      http.finish();
      const erasure = createErasure({ service: name, bus, erasedUsers, erase: parts.erase });
      subscription = await bus.subscribe(
        name,
        handlersOf({ name, parts, revocations, guard, erasure, replay }),
        { isErased: erasure.isErased },
      );
      // An operator may have held some of them while they were to be erased.
      erasure
        .eraseDeadLetters()
        .catch((error) => logger.info({ err: error }, 'dead letters could not be searched for erased users'));
      outboxes.start();
      replay?.start();
      server = await listen(http.express, { port, host });
      background = parts.background;
      await background?.start(server.server);
      logger.info({ port: server.port }, 'listening');
    },
    async stop() {
      stopping = true;
      // Stops accepting connections first, so that clients that are disconnected next cannot reconnect here.
      const closed = server?.stop();
      await background?.stop();
      await closed;
      await subscription?.close();
      await replay?.stop();
      await outboxes?.stop();
      await background?.close();
      // From here on a lost connection is expected.
      connection?.removeAllListeners('disconnected');
      await connection?.close();
      stopWatching();
      logger.info('stopped');
    },
    ready,
    isRelaying: () => outboxes?.isRelaying() ?? false,
    isIdle: async () => ((await outboxes?.empty()) ?? true) && ((await replay?.isIdle()) ?? true),
    url: () => `http://${host}:${server?.port}`,
  };
}
