import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccountReference, StoreReference } from '@wayquest/auth';
import { type Event, type ServiceName, serviceNames } from '@wayquest/contracts';
import type { WithOutbox } from '@wayquest/platform/outbox';
import { connectOrFail } from '@wayquest/platform/settings';
import { createLogger } from '@wayquest/platform/telemetry';
import mongoose from 'mongoose';
import type { AdminSettings } from './command.ts';

export type Database = ReturnType<mongoose.mongo.MongoClient['db']>;
export type DatabaseOf = (owner: string) => Database;

export interface Databases {
  /** URL of the store. */
  url: string;
  /** Prefix of its databases. */
  installation: string;
}

export async function withDatabases<T>(
  { url, installation }: Databases,
  use: (databaseOf: DatabaseOf) => Promise<T>,
): Promise<T> {
  const opened = mongoose.createConnection(url, { serverSelectionTimeoutMS: 5_000 }).asPromise();
  const connection = await connectOrFail('MONGO_URL', opened);
  try {
    return await use((owner) => connection.getClient().db(`${installation}_${owner}`));
  } finally {
    await connection.close();
  }
}

export const collectionsOf = async (database: Database): Promise<string[]> => {
  const found = await database.listCollections({}, { nameOnly: true }).toArray();
  return found.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
};

interface Store {
  url: string;
  stop(): Promise<void>;
}

async function isReachable(url: string): Promise<boolean> {
  try {
    const connection = mongoose.createConnection(url, { serverSelectionTimeoutMS: 2_000 });
    await (await connection.asPromise()).close();
    return true;
  } catch {
    return false;
  }
}

/** The store of an all-in-one installation: that of the running process, or its files, served by this process. */
async function storeIn(dataDirectory: string): Promise<Store> {
  const file = join(dataDirectory, 'mongo.url');
  const running = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
  if (running && (await isReachable(running))) return { url: running, stop: async () => {} };

  const directory = join(dataDirectory, 'store');
  if (!existsSync(directory))
    throw new Error(
      `There is no data in ${dataDirectory}. Start Wayquest first, or set DATA_DIR or MONGO_URL.`,
    );
  const { startEmbeddedMongo } = await import('@wayquest/embedded-mongo');
  // On a socket in its own folder, which nobody else on this machine can access.
  const folder = mkdtempSync(join(tmpdir(), 'wayquest-'));
  const { url, stop } = await startEmbeddedMongo({ directory, socketPath: join(folder, 'store.sock') });
  return {
    url,
    async stop() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a command on an installation's store. */
export async function onStore<T>(
  { MONGO_URL, DATA_DIR }: AdminSettings,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const store = MONGO_URL ? { url: MONGO_URL, stop: async () => {} } : await storeIn(DATA_DIR);
  try {
    return await use(store.url);
  } finally {
    await store.stop();
  }
}

/** Runs a function of a service on the service's own store. */
export const onServiceStore = <T>(
  settings: AdminSettings,
  use: (store: StoreReference) => Promise<T>,
): Promise<T> => {
  const logger = createLogger({ name: 'admin', level: 'silent' });
  return onStore(settings, (mongoUrl) => use({ mongoUrl, databasePrefix: settings.INSTALLATION, logger }));
};

/** Reads or changes a user's account in auth's store. Throws a sentence if nobody has the username. */
export async function onAccount<T>(
  settings: AdminSettings,
  username: string,
  use: (account: AccountReference) => Promise<T | undefined>,
): Promise<T> {
  const result = await onServiceStore(settings, (store) => use({ ...store, username }));
  if (result === undefined) throw new Error(`There is no user named ${username}.`);
  return result;
}

/** Yields the outboxes of a service with unpublished events, by an index. */
export async function* outboxesIn(database: Database): AsyncGenerator<Event[]> {
  for (const name of await collectionsOf(database)) {
    const collection = database.collection<WithOutbox>(name);
    const indexes = await collection.indexes();
    if (!indexes.some(({ key }) => 'outboxDueAt' in key)) continue;
    const waiting = collection.find({ outboxDueAt: { $type: 'date' } }, { projection: { outbox: 1 } });
    for await (const { outbox } of waiting) yield outbox;
  }
}

interface OutboxBacklog {
  service: ServiceName;
  count: number;
  /** Time of the oldest event; undefined without one. */
  since?: string;
}

/** Counts the unpublished events of each service. */
export const countWaiting = (databases: Databases): Promise<OutboxBacklog[]> =>
  withDatabases(databases, async (databaseOf) => {
    const all: OutboxBacklog[] = [];
    for (const service of serviceNames) {
      const waiting: OutboxBacklog = { service, count: 0 };
      for await (const outbox of outboxesIn(databaseOf(service)))
        for (const { occurredAt } of outbox) {
          waiting.count += 1;
          if (!waiting.since || occurredAt < waiting.since) waiting.since = occurredAt;
        }
      all.push(waiting);
    }
    return all;
  });
