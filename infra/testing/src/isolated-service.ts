import { randomBytes, randomUUID } from 'node:crypto';
import { type Client, createClient, type Event, type ServiceName } from '@wayquest/contracts';
import { type AnyConsumers, dispatch, type EventBus, parseEvent } from '@wayquest/platform/bus';
import type { Clock } from '@wayquest/platform/process';
import type { Service, ServiceDeps } from '@wayquest/platform/service';
import { createLogger, requestContext } from '@wayquest/platform/telemetry';
import { type Document, MongoClient } from 'mongodb';
import { recordCommands, recordedStoreUrl } from './commands.ts';
import { dropDatabases } from './databases.ts';
import { eventually } from './eventually.ts';
import { testKeys } from './keys.ts';
import type { Network } from './network/network.ts';
import { storeUrl } from './store.ts';
import { patientTimeouts } from './timeouts.ts';

/** Collections by name. */
export type Stored = Record<string, Document[]>;

export interface IsolatedServiceOptions {
  service: ServiceName;
  create: (deps: ServiceDeps) => Service;
  /** Initial content of its store. */
  stored?: Stored | undefined;
  /** Default: the system clock. */
  clock?: Clock | undefined;
}

/** One service without the others. */
export interface IsolatedService {
  url: string;
  /** A client with a token, or without one. */
  client(token?: string): Client;
  /** The events that it has published. */
  told: Event[];
  /** The commands that it has sent to its store since it started. */
  commands: ReturnType<typeof recordCommands>;
  /** Delivers an event of another service, or of another instance; rejects if it could not be handled. */
  deliver(event: Event): Promise<void>;
  /** While the bus is unavailable, events stay in the outbox. */
  setBusAway(away: boolean): void;
  /** The current content of a collection. */
  read(collection: string): Promise<Document[]>;
  /** Waits until it is idle. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a service with its own store and bus, without other services. */
export async function startIsolatedService({
  service: name,
  create,
  stored = {},
  clock,
}: IsolatedServiceOptions): Promise<IsolatedService> {
  const logger = createLogger({ name: 'test', level: process.env.WAYQUEST_TEST_LOG || 'silent' });
  const mongoUrl = storeUrl();
  const databasePrefix = `test_${randomBytes(6).toString('hex')}`;
  const store = await MongoClient.connect(mongoUrl);
  const database = store.db(`${databasePrefix}_${name}`);
  for (const [collection, documents] of Object.entries(stored)) {
    if (documents.length) await database.collection(collection).insertMany(documents);
  }

  const told: Event[] = [];
  let away = false;
  let underWay = 0;
  let consumers: AnyConsumers = {};
  const deliver = async (event: Event): Promise<void> => {
    underWay += 1;
    try {
      const { requestId = randomUUID() } = event;
      await requestContext.run({ requestId }, () => dispatch(consumers, parseEvent(structuredClone(event))));
    } finally {
      underWay -= 1;
    }
  };
  const bus: EventBus = {
    async publish(event) {
      if (away) throw new Error('the bus is away');
      // It may subscribe to its own events.
      await deliver(event);
      told.push(event);
    },
    async subscribe(_service, given) {
      consumers = given;
      return { close: async () => {} };
    },
    discard: async () => {},
    ready: () => !away,
    idle: async () => underWay === 0,
    close: async () => {},
  };
  const { publicKey } = testKeys();
  const service = create({
    logger,
    bus,
    mongoUrl: recordedStoreUrl(),
    databasePrefix,
    publicKey,
    port: 0,
    timeouts: patientTimeouts,
    clock,
  });
  await service.start();
  const commands = recordCommands(`${databasePrefix}_${name}`);
  const isSettled = async () => (await service.settled()) && (await bus.idle());

  return {
    url: service.url(),
    client: (token) => createClient({ baseUrl: service.url(), token: () => token }),
    told,
    commands,
    deliver,
    setBusAway(isAway) {
      away = isAway;
    },
    read: (collection) => database.collection(collection).find().toArray(),
    // Twice, since between two checks an event can move from the outbox over the bus into the outbox again.
    settle: async () => {
      await eventually(async () => (await isSettled()) && (await isSettled()), {
        withinMs: 60_000,
        everyMs: 5,
      });
    },
    async stop() {
      await service.stop();
      await store.close();
      await dropDatabases(mongoUrl, [`${databasePrefix}_${name}`]);
    },
  };
}

/** Reads some collections of a service in a network, as the initial content of an isolated one. */
export async function storedBy(
  { mongoUrl, databasePrefix }: Network,
  service: ServiceName,
  collections: string[],
): Promise<Stored> {
  const store = await MongoClient.connect(mongoUrl);
  try {
    const database = store.db(`${databasePrefix}_${service}`);
    const stored = collections.map(
      async (name) => [name, await database.collection(name).find().toArray()] as const,
    );
    return Object.fromEntries(await Promise.all(stored));
  } finally {
    await store.close();
  }
}
