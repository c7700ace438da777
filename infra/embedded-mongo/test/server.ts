import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Collection,
  type Db,
  type Document,
  MongoClient,
  type MongoClientOptions,
  MongoServerError,
} from 'mongodb';
import { type EmbeddedMongo, startEmbeddedMongo } from '../src/index.ts';

export const newFolder = () => mkdtempSync(join(tmpdir(), 'embedded-mongo-test-'));

export type Running = {
  server: EmbeddedMongo;
  client: MongoClient;
  db: Db;
  directory: string;
  /** Ends the server and leaves its folder. */
  end(): Promise<void>;
  stop(): Promise<void>;
};

/** What a test that failed has left running would keep the run from ending. */
const left = new Set<() => Promise<void>>();
afterAll(() => Promise.all([...left].map((stop) => stop())));

/** A server on a folder, of its own when none is given, with a client. */
export async function startServer(
  options: MongoClientOptions = {},
  directory = newFolder(),
): Promise<Running> {
  const server = await startEmbeddedMongo({ directory });
  const client = await MongoClient.connect(server.url, options);
  const end = async () => {
    left.delete(end);
    await client.close();
    await server.stop();
  };
  left.add(end);
  const stop = async () => {
    await end();
    rmSync(directory, { recursive: true });
  };
  return { server, client, db: client.db('test'), directory, end, stop };
}

/** The same folder, served anew. */
export async function restart({ end, directory }: Running): Promise<Running> {
  await end();
  return startServer({}, directory);
}

/** The error that a call ends with. */
export async function errorOf(call: Promise<unknown>): Promise<MongoServerError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof MongoServerError) return error;
    throw error;
  }
  throw new Error('the call did not fail');
}

/** The code of the error that a call ends with. */
export const codeOf = async (call: Promise<unknown>) => Number((await errorOf(call)).code);

/** A document of any shape; what the types of the driver allow is not what is tested here. */
export type Thing = Document & { _id: number };

let count = 0;
/** A collection that no other test has touched, with documents in it. */
export async function collectionWith(db: Db, docs: Thing[]): Promise<Collection<Thing>> {
  const collection = db.collection<Thing>(`c${count++}`);
  if (docs.length > 0) await collection.insertMany(docs.map((doc) => ({ ...doc })));
  return collection;
}
