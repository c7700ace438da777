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
  /** What is in its store when it starts. */
  stored?: Stored | undefined;
  /** The machine's if not said. */
  clock?: Clock | undefined;
}

/** One service without the others. */
export interface IsolatedService {
  url: string;
  /** Calls in the name of the token's owner or nobody's. */
  client(token?: string): Client;
  /** What it has told on the bus. */
  told: Event[];
  /** What it has asked of its store, once it had started. */
  commands: ReturnType<typeof recordCommands>;
  /** Gives it an event of another service, or of another instance of its own; rejects when it could not handle it. */
  deliver(event: Event): Promise<void>;
  /** While the bus is away, what it tells waits with it. */
  setBusAway(away: boolean): void;
  /** What is in its store now. */
  read(collection: string): Promise<Document[]>;
  /** Waits until nothing of it is under way. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a service on a store and a bus of its own, which no other service is on. */
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
      // It may listen to itself.
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
    // Twice, since between one look and the next an event can go from the outbox over the bus into the outbox again.
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

/** What a service of a network has in some of its collections, as a start for the same service alone. */
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
