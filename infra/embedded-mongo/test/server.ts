import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile } from '@wayquest/testing';
import {
  type Collection,
  type Db,
  type Document,
  MongoClient,
  type MongoClientOptions,
  MongoServerError,
} from 'mongodb';
import { type EmbeddedMongo, startEmbeddedMongo } from '../src/index.ts';

/** Creates an empty folder for temporary files. */
export const newFolder = () => mkdtempSync(join(tmpdir(), 'embedded-mongo-test-'));

/** An embedded server with a connected client. */
export type Running = {
  server: EmbeddedMongo;
  client: MongoClient;
  db: Db;
  directory: string;
  /** Stops the server and keeps its folder. */
  stopKeepingFolder(): Promise<void>;
  /** Stops the server and deletes its folder. */
  stop(): Promise<void>;
};

/**
 * Starts a server and connects a client.
 *
 * @param options - options of the client
 * @param directory - the server's folder; a new one by default
 */
export async function startServer(
  options: MongoClientOptions = {},
  directory = newFolder(),
): Promise<Running> {
  const server = await startEmbeddedMongo({ directory });
  const client = await MongoClient.connect(server.url, options);
  let stopping: Promise<void> | undefined;
  const stopKeepingFolder = () => {
    stopping ??= client.close().then(() => server.stop());
    return stopping;
  };
  // A failed test may leave it running.
  afterFile(stopKeepingFolder);
  const stop = async () => {
    await stopKeepingFolder();
    rmSync(directory, { recursive: true });
  };
  return { server, client, db: client.db('test'), directory, stopKeepingFolder, stop };
}

/** Stops a server, and starts another one with the same folder. */
export async function restart({ stopKeepingFolder, directory }: Running): Promise<Running> {
  await stopKeepingFolder();
  return startServer({}, directory);
}

/** Returns the server's error with which a call fails; throws if it succeeds. */
export async function errorOf(call: Promise<unknown>): Promise<MongoServerError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof MongoServerError) return error;
    throw error;
  }
  throw new Error('the call did not fail');
}

/** Returns the code of the error with which a call fails. */
export const codeOf = async (call: Promise<unknown>) => Number((await errorOf(call)).code);

/** A document of any shape, so that tests can use values that the driver's types forbid. */
export type Thing = Document & { _id: number };

let count = 0;
/** Creates a collection that no other test uses, with these documents. */
export async function collectionWith(db: Db, docs: Thing[]): Promise<Collection<Thing>> {
  const collection = db.collection<Thing>(`c${count++}`);
  if (docs.length > 0) await collection.insertMany(docs.map((doc) => ({ ...doc })));
  return collection;
}
