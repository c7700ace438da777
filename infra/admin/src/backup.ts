import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { serviceNames } from '@wayquest/contracts';
import { countEventsOnRabbitMq } from '@wayquest/platform/bus';
import { connectOrFail } from '@wayquest/platform/settings';
import { isNewer } from '@wayquest/platform/store';
import { version } from '@wayquest/platform/telemetry';
import mongoose from 'mongoose';
import { z } from 'zod';
import {
  collectionsOf,
  type Database,
  type DatabaseOf,
  type Databases,
  outboxesIn,
  withDatabases,
} from './store.ts';

const { BSON } = mongoose.mongo;

/** Each service has a database, and so has the in-process bus. */
const owners = [...serviceNames, 'bus'];

const ofCollections = <T extends z.ZodType>(value: T) => z.record(z.string(), z.record(z.string(), value));

/** The content of `backup.json`. It is written last: without it a backup is incomplete. */
const Contents = z.object({
  version: z.union([z.literal(1), z.literal(2)]),
  takenAt: z.iso.datetime(),
  /** Number of documents, by owner and collection; those without documents have no file. */
  counts: ofCollections(z.int().positive()),
  /** SHA-256 of each file. Since format 2, as is what follows. */
  hashes: ofCollections(z.hex().length(64)).optional(),
  /** The version of Wayquest that made the backup. */
  wayquest: z.string().default('0.2.0'),
});
type Contents = z.output<typeof Contents>;
export const contentsFile = 'backup.json';

export interface BackupOptions extends Databases {
  folder: string;
}

/** How long to wait for pending events, in milliseconds. */
const timeoutMs = 60_000;
/** How long a consumer may be at work on an event, in milliseconds: its calls of the store end in less. */
const handlerMs = 3_000;
/** How often collections that were changed while they were copied are copied again. */
const maxCopies = 5;
/** Maximum size of a batch. */
const maxBatch = { documents: 500, bytes: 8 * 1_024 * 1_024 };

/** Whether a document has unpublished events. */
async function hasUnpublishedEvents(databaseOf: DatabaseOf): Promise<boolean> {
  for (const service of serviceNames) for await (const _ of outboxesIn(databaseOf(service))) return true;
  return false;
}

/** The collections of all owners. */
async function* allCollections(
  databaseOf: DatabaseOf,
): AsyncGenerator<{ owner: string; name: string; database: Database }> {
  for (const owner of owners) {
    const database = databaseOf(owner);
    for (const name of (await collectionsOf(database)).sort()) yield { owner, name, database };
  }
}

/** The documents of a collection as bytes, by their ids. */
async function* documentsOf(database: Database, name: string): AsyncGenerator<Uint8Array> {
  for await (const document of database.collection(name).find({}, { raw: true }).sort({ _id: 1 })) {
    if (!(document instanceof Uint8Array)) throw new Error('the driver returned no bytes');
    yield document;
  }
}

const fileOf = (folder: string, owner: string, name: string) => join(folder, owner, `${name}.bson`);

interface Summary {
  count: number;
  /** SHA-256 of all of it. */
  hash: string;
}

/** Counts and hashes documents, one after the other. */
function startSummary() {
  const hash = createHash('sha256');
  let count = 0;
  return {
    add(document: Uint8Array): void {
      hash.update(document);
      count += 1;
    },
    end: (): Summary => ({ count, hash: hash.digest('hex') }),
  };
}

async function summaryOf(documents: AsyncIterable<Uint8Array>): Promise<Summary> {
  const summary = startSummary();
  for await (const document of documents) summary.add(document);
  return summary.end();
}

async function save(database: Database, name: string, file: string): Promise<Summary> {
  const summary = startSummary();
  async function* documents() {
    for await (const document of documentsOf(database, name)) {
      summary.add(document);
      yield document;
    }
  }
  await pipeline(Readable.from(documents()), createWriteStream(file, { mode: 0o600, flush: true }));
  return summary.end();
}

/**
 * Copies all collections, and those again that were changed meanwhile, until none was.
 *
 * @throws A sentence if some are always changed.
 */
async function copy(
  databaseOf: DatabaseOf,
  folder: string,
  hasPendingEvents: () => Promise<boolean>,
): Promise<Pick<Contents, 'counts' | 'hashes'>> {
  const copies = new Map<string, Summary & { owner: string; name: string }>();
  /** Copies what is not in the folder as it is in the store, and returns what that was. */
  const copyChanged = async (): Promise<string[]> => {
    const changed: string[] = [];
    for await (const { owner, name, database } of allCollections(databaseOf)) {
      const place = `${owner}/${name}`;
      const copied = copies.get(place);
      if (copied && (await summaryOf(documentsOf(database, name))).hash === copied.hash) continue;
      changed.push(place);
      await mkdir(join(folder, owner), { recursive: true, mode: 0o700 });
      copies.set(place, { owner, name, ...(await save(database, name, fileOf(folder, owner, name))) });
    }
    return changed;
  };
  let changed = await copyChanged();
  for (let again = 0; changed.length && again < maxCopies; again++) {
    // A consumer that has an event, which no queue counts any more, writes within that time.
    await pause(handlerMs);
    const pending = (await hasPendingEvents()) ? ['events'] : [];
    changed = [...(await copyChanged()), ...pending];
  }
  if (changed.length)
    throw new Error(`The store is being changed (${changed.join(', ')}). Stop the gateway, and try again.`);

  const counts: Contents['counts'] = {};
  const hashes: NonNullable<Contents['hashes']> = {};
  for (const { owner, name, count, hash } of copies.values()) {
    if (count === 0) await rm(fileOf(folder, owner, name));
    else {
      counts[owner] = { ...counts[owner], [name]: count };
      hashes[owner] = { ...hashes[owner], [name]: hash };
    }
  }
  return { counts, hashes };
}

/**
 * Writes all stores into an empty folder, as one BSON file for each collection (as mongodump does), while they are
 * consistent: no event is pending before and after, and nothing is written meanwhile. Of a backup that fails nothing is left.
 *
 * @returns The number of documents.
 * @throws A sentence if events are pending, something is written all the time, or the folder cannot be written to.
 */
export async function backUp(place: BackupOptions & { amqpUrl?: string | undefined }): Promise<number> {
  const { folder, installation, amqpUrl } = place;
  const isNew = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined;
  if ((await readdir(folder)).length) throw new Error(`${folder} is not empty.`);
  const write = withDatabases(place, async (databaseOf) => {
    const hasPendingEvents = async () =>
      (await hasUnpublishedEvents(databaseOf)) ||
      (!!amqpUrl &&
        (await connectOrFail('AMQP_URL', countEventsOnRabbitMq({ url: amqpUrl, prefix: installation }))) > 0);
    for (const end = Date.now() + timeoutMs; await hasPendingEvents(); await pause(500))
      if (Date.now() > end)
        throw new Error(
          'Some events have not been consumed yet. Stop the gateway, leave the services running, and try again.',
        );
    const takenAt = new Date().toISOString();
    const copied = await copy(databaseOf, folder, hasPendingEvents);
    if (await hasPendingEvents())
      throw new Error('The store was changed meanwhile. Stop the gateway, and try again.');
    const contents: Contents = { version: 2, wayquest: version, takenAt, ...copied };
    await writeFile(join(folder, contentsFile), JSON.stringify(contents, null, 2), {
      ...{ mode: 0o600, flush: true },
    });
    return Object.values(copied.counts)
      .flatMap((collections) => Object.values(collections))
      .reduce((sum, count) => sum + count, 0);
  });
  try {
    return await write;
  } catch (error) {
    if (isNew) await rm(folder, { recursive: true });
    else for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
    throw error;
  }
}

/** Yields the documents of a file as bytes. Throws if it ends within one. */
async function* documentsIn(file: string): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: 1_024 * 1_024 })) {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const size = rest.length < 4 ? 4 : rest.readInt32LE(0);
      if (rest.length < Math.max(size, 5)) break;
      yield rest.subarray(0, size);
      rest = rest.subarray(size);
    }
  }
  if (rest.length) throw new Error(`${file} is truncated.`);
}

async function load(database: Database, name: string, file: string): Promise<number> {
  let count = 0;
  let bytes = 0;
  let batch: mongoose.mongo.BSON.Document[] = [];
  const write = async () => {
    if (batch.length) await database.collection(name).insertMany(batch);
    batch = [];
    bytes = 0;
  };
  for await (const document of documentsIn(file)) {
    // Preserves the types of numbers.
    batch.push(BSON.deserialize(document, { promoteValues: false, bsonRegExp: true }));
    bytes += document.length;
    count += 1;
    if (batch.length >= maxBatch.documents || bytes >= maxBatch.bytes) await write();
  }
  await write();
  return count;
}

/**
 * Reads a whole backup before anything is written.
 *
 * @throws A sentence if it is incomplete, was changed, or is that of a newer version.
 */
async function check(folder: string): Promise<Contents> {
  const text = await readFile(join(folder, contentsFile), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause;
    throw new Error(`There is no complete backup in ${folder}.`);
  });
  const contents = Contents.parse(JSON.parse(text));
  const { counts, hashes, wayquest } = contents;
  if (isNewer(wayquest, version))
    throw new Error(
      `Version ${wayquest} made the backup, and this is ${version}. Restore it with that version.`,
    );
  for (const [owner, collections] of Object.entries(counts)) {
    if (!owners.includes(owner)) throw new Error(`There is no service ${owner}.`);
    for (const [name, expected] of Object.entries(collections)) {
      const file = fileOf(folder, owner, name);
      const { count, hash } = await summaryOf(documentsIn(file));
      if (count !== expected) throw new Error(`${file} has ${count} documents instead of ${expected}.`);
      if (hashes && hash !== hashes[owner]?.[name])
        throw new Error(`${file} was changed after the backup was made.`);
    }
  }
  return contents;
}

export interface RestoreOptions extends BackupOptions {
  /** Whether what is in the store is deleted first, once the backup has been checked. Default: it has to be empty. */
  replace?: boolean;
}

/**
 * Writes a backup into a store, while no service runs. It is read and checked in full before the first write.
 *
 * @returns The number of documents, and when the backup was made.
 * @throws A sentence if the store is not empty, or the backup is incomplete, was changed, or is that of a newer version. Nothing
 *   is written then.
 */
export async function restore(place: RestoreOptions): Promise<{ total: number; takenAt: string }> {
  const { folder, replace } = place;
  const { counts, takenAt } = await check(folder);
  return withDatabases(place, async (databaseOf) => {
    // Not the databases: the right to read and write does not include that.
    if (replace)
      for await (const { name, database } of allCollections(databaseOf)) await database.dropCollection(name);
    for await (const { name, database } of allCollections(databaseOf))
      if (await database.collection(name).findOne({}))
        throw new Error('The store is not empty. `restore <folder> --replace` deletes what is in it first.');
    let total = 0;
    for (const [owner, collections] of Object.entries(counts))
      for (const name of Object.keys(collections))
        total += await load(databaseOf(owner), name, fileOf(folder, owner, name));
    return { total, takenAt };
  });
}
