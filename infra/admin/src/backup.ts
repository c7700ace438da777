import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { serviceNames } from '@wayquest/contracts';
import { countEventsOnRabbitMq } from '@wayquest/platform/bus';
import { connectOrFail } from '@wayquest/platform/settings';
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

const Counts = z.record(z.string(), z.record(z.string(), z.int().nonnegative()));
/** Number of documents, by owner and collection. */
type Counts = z.output<typeof Counts>;

/** The content of `backup.json`. It is written last: without it a backup is incomplete. */
const Contents = z.object({ version: z.literal(1), takenAt: z.iso.datetime(), counts: Counts });
const contentsFile = 'backup.json';

export interface BackupOptions extends Databases {
  folder: string;
}

/** How long to wait for pending events, in milliseconds. */
const timeoutMs = 60_000;
/** Maximum size of a batch. */
const maxBatch = { documents: 500, bytes: 8 * 1_024 * 1_024 };

async function countAll(databaseOf: DatabaseOf): Promise<Counts> {
  const counts: Counts = {};
  for (const owner of owners) {
    const database = databaseOf(owner);
    for (const name of await collectionsOf(database)) {
      const count = await database.collection(name).countDocuments({});
      if (count) counts[owner] = { ...counts[owner], [name]: count };
    }
  }
  return counts;
}

/** Whether a document has unpublished events. */
async function hasUnpublishedEvents(databaseOf: DatabaseOf): Promise<boolean> {
  for (const service of serviceNames) for await (const _ of outboxesIn(databaseOf(service))) return true;
  return false;
}

async function save(database: Database, name: string, file: string): Promise<number> {
  let count = 0;
  async function* documents() {
    for await (const document of database.collection(name).find({}, { raw: true })) {
      if (!(document instanceof Uint8Array)) throw new Error('the driver returned no bytes');
      count += 1;
      yield document;
    }
  }
  await pipeline(Readable.from(documents()), createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  return count;
}

/**
 * Writes all stores into an empty folder, as one BSON file for each collection (as mongodump does), while they are
 * consistent: no event is pending before and after. Throws a sentence if some are, or if something was written
 * meanwhile. Returns the number of documents.
 */
export async function backUp(place: BackupOptions & { amqpUrl?: string | undefined }): Promise<number> {
  const { folder, installation, amqpUrl } = place;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length) throw new Error(`${folder} is not empty.`);
  return withDatabases(place, async (databaseOf) => {
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
    const counts: Counts = {};
    let total = 0;
    for (const owner of owners) {
      const database = databaseOf(owner);
      for (const name of await collectionsOf(database)) {
        await mkdir(join(folder, owner), { recursive: true, mode: 0o700 });
        const count = await save(database, name, join(folder, owner, `${name}.bson`));
        if (count) counts[owner] = { ...counts[owner], [name]: count };
        total += count;
      }
    }
    if ((await hasPendingEvents()) || JSON.stringify(await countAll(databaseOf)) !== JSON.stringify(counts))
      throw new Error(
        'The store was changed meanwhile. Stop the gateway, and try again with another folder.',
      );
    await writeFile(join(folder, contentsFile), JSON.stringify({ version: 1, takenAt, counts }, null, 2), {
      mode: 0o600,
    });
    return total;
  });
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
 * Writes a backup into an empty store, before its first start. Throws a sentence if the store is not empty, or the
 * backup is incomplete. Returns the number of documents, and when the backup was made.
 */
export async function restore(place: BackupOptions): Promise<{ total: number; takenAt: string }> {
  const { folder } = place;
  const contents = await readFile(join(folder, contentsFile), 'utf8').catch(
    (cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'ENOENT') throw cause;
      throw new Error(`There is no complete backup in ${folder}.`);
    },
  );
  const { counts, takenAt } = Contents.parse(JSON.parse(contents));
  return withDatabases(place, async (databaseOf) => {
    if (Object.keys(await countAll(databaseOf)).length)
      throw new Error('The store is not empty. Restore into an empty one.');
    let total = 0;
    for (const [owner, collections] of Object.entries(counts)) {
      if (!owners.includes(owner)) throw new Error(`There is no service ${owner}.`);
      for (const [name, expected] of Object.entries(collections)) {
        const count = await load(databaseOf(owner), name, join(folder, owner, `${name}.bson`));
        if (count !== expected)
          throw new Error(`${name} of ${owner} has ${count} documents instead of ${expected}.`);
        total += count;
      }
    }
    return { total, takenAt };
  });
}
