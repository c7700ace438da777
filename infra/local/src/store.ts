import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startEmbeddedMongo } from '@wayquest/embedded-mongo';
import type { Logger } from '@wayquest/platform/telemetry';

export interface OpenStore {
  url: string;
  stop(): Promise<void>;
}

/** The system's own limit for the name of a socket, with some to spare. */
const longestSocketPath = 100;

/**
 * Makes a folder that only its owner reaches; so is all that this process makes from here on. In the folder are password
 * hashes and the key that tokens are signed with.
 */
export async function makePrivate(directory: string): Promise<void> {
  process.umask(0o077);
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o700);
}

/** In the folder, so that who may open the one may open the other; elsewhere only where its name would be too long. */
function socketIn(directory: string): string {
  const path = resolve(directory, 'mongo.sock');
  return path.length < longestSocketPath ? path : join(tmpdir(), `wayquest-${process.pid}.sock`);
}

/** It is on this machine, often in the same process: whoever is cut off from it knows at once, without asking. */
const signOfLifeEveryMs = 60_000;

/**
 * Opens the embedded store of a data folder: by a socket that only its owner reaches, or at a port, for every program of
 * this machine. Its address is in the folder's `mongo.url` as long as it is open.
 */
export async function openStore(
  directory: string,
  { logger, port }: { logger: Logger; port?: number | undefined },
): Promise<OpenStore> {
  await makePrivate(directory);
  const where = port === undefined ? { socketPath: socketIn(directory) } : { port };
  const store = await startEmbeddedMongo({ directory: join(directory, 'store'), ...where, logger });
  const addressFile = join(directory, 'mongo.url');
  await writeFile(addressFile, store.url);
  return {
    url: `${store.url}/?heartbeatFrequencyMS=${signOfLifeEveryMs}`,
    async stop() {
      await rm(addressFile, { force: true });
      await store.stop();
    },
  };
}
