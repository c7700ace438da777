import { randomBytes, randomUUID } from 'node:crypto';
import { type Client, createClient, type Event, type ServiceName } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import { type AnyEventHandlers, dispatch, type EventBus, parseEvent } from '@wayquest/platform/bus';
import type { Service, ServiceDeps } from '@wayquest/platform/service';
import { createLogger, requestContext } from '@wayquest/platform/telemetry';
import { type Document, MongoClient } from 'mongodb';
import { testServiceDeps, withServiceStore } from './connections.ts';
import { eventually } from './eventually.ts';
import type { Network } from './network/network.ts';
import { monitoredStoreUrl, recordCommands } from './queries.ts';
import { dropDatabases, storeUrl } from './store.ts';
import { createSettledCheck } from './test-bus.ts';

/** Collections by name. */
export type StoredCollections = Record<string, Document[]>;

export interface IsolatedServiceOptions {
  service: ServiceName;
  create: (deps: ServiceDeps) => Service;
  /** Initial content of its store. */
  stored?: StoredCollections | undefined;
  /** By default the system clock. */
  clock?: Clock | undefined;
  /** Another one, whose store it shares as a second instance. It stops first. */
  of?: IsolatedService | undefined;
}

/** A running service without the others. */
export interface IsolatedService {
  url: string;
  databasePrefix: string;
  /** Creates a client of the service, with a token or without one. */
  client(token?: string): Client;
  /** Events that it has published, oldest first. */
  published: Event[];
  /** Commands that it has sent to its store since it started. */
  commands: ReturnType<typeof recordCommands>;
  /** Delivers an event; rejects if the service could not handle it. */
  deliver(event: Event): Promise<void>;
  /** Makes publishing fail, so that events stay in the outbox. */
  setBusUnavailable(isBusUnavailable: boolean): void;
  /** Reads the current content of a collection. */
  read(collection: string): Promise<Document[]>;
  /** Waits until no event is pending in its outboxes or being handled. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a service with its own store and bus, without other services. */
export async function startIsolatedService({
  service: name,
  create,
  stored = {},
  clock,
  of: other,
}: IsolatedServiceOptions): Promise<IsolatedService> {
  const logger = createLogger({ name: 'test', level: process.env.WAYQUEST_TEST_LOG || 'silent' });
  const mongoUrl = storeUrl();
  const databasePrefix = other?.databasePrefix ?? `test_${randomBytes(6).toString('hex')}`;
  const store = await MongoClient.connect(mongoUrl);
  const database = store.db(`${databasePrefix}_${name}`);
  for (const [collection, documents] of Object.entries(stored)) {
    if (documents.length) await database.collection(collection).insertMany(documents);
  }

  const published: Event[] = [];
  let isBusUnavailable = false;
  let inProgress = 0;
  let handlers: AnyEventHandlers = {};
  const deliver = async (event: Event): Promise<void> => {
    inProgress += 1;
    try {
      const { requestId = randomUUID() } = event;
      await requestContext.run({ requestId }, () => dispatch(handlers, parseEvent(structuredClone(event))));
    } finally {
      inProgress -= 1;
    }
  };
  const bus: EventBus = {
    async publish(event) {
      if (isBusUnavailable) throw new Error('the bus is unavailable');
      // It may subscribe to its own events.
      await deliver(event);
      published.push(event);
    },
    async subscribe(_service, subscribed) {
      handlers = subscribed;
      return { close: async () => {} };
    },
    eraseDeadLetters: async () => {},
    responds: () => true,
    ready: () => !isBusUnavailable,
    idle: async () => inProgress === 0,
    close: async () => {},
  };
  const isSettled = createSettledCheck(bus, () => [service]);
  const service = create(
    testServiceDeps({ logger, bus, mongoUrl: monitoredStoreUrl(), databasePrefix, clock }),
  );
  await service.start();
  const commands = recordCommands(`${databasePrefix}_${name}`);

  return {
    url: service.url(),
    databasePrefix,
    client: (token) => createClient({ baseUrl: service.url(), token: () => token }),
    published,
    commands,
    deliver,
    setBusUnavailable(isUnavailable) {
      isBusUnavailable = isUnavailable;
    },
    read: (collection) => database.collection(collection).find().toArray(),
    settle: async () => {
      await eventually(isSettled, { withinMs: 60_000, everyMs: 5 });
    },
    async stop() {
      await service.stop();
      await store.close();
      if (!other) await dropDatabases(mongoUrl, [`${databasePrefix}_${name}`]);
    },
  };
}

/** Reads collections of a service in a network, to be used as the initial content of an isolated service. */
export const readCollections = (
  network: Network,
  service: ServiceName,
  collections: string[],
): Promise<StoredCollections> =>
  withServiceStore(network, service, async (store) => {
    const stored = collections.map(
      async (name) => [name, await store.collection(name).find().toArray()] as const,
    );
    return Object.fromEntries(await Promise.all(stored));
  });
