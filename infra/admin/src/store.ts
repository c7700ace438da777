import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import type { AdminSettings } from './command.ts';

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
