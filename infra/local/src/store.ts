import { existsSync } from 'node:fs';
import { chmod, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startEmbeddedMongo } from '@wayquest/embedded-mongo';
import type { Logger } from '@wayquest/platform/telemetry';

export interface OpenStore {
  url: string;
  stop(): Promise<void>;
}

/** How many bytes a socket's path may have on every system (`sun_path` in sockaddr_un); Linux has room for four more. */
const maxSocketPathBytes = 103;

/** A folder that the store cannot be kept in, with what a person can do about it. */
export class DataFolderError extends Error {}

/**
 * Makes a folder that only its owner reaches; so is all that this process makes from here on. In the folder are password
 * hashes and the key that tokens are signed with.
 */
export async function makePrivate(directory: string): Promise<void> {
  process.umask(0o077);
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o700);
}

interface SocketPlace {
  socketPath: string;
  close(): Promise<void>;
}

/**
 * The store's socket, in the folder itself, so that who may open the one may open the other. Where its path would be too long,
 * it is reached through the folder that this process holds open.
 *
 * @throws `DataFolderError` where the path is too long and the system has no such way.
 */
async function socketIn(directory: string): Promise<SocketPlace> {
  const socketPath = resolve(directory, 'mongo.sock');
  const bytes = Buffer.byteLength(socketPath);
  if (bytes <= maxSocketPathBytes) return { socketPath, close: async () => {} };
  const openFolders = `/proc/${process.pid}/fd`;
  if (!existsSync(openFolders)) {
    throw new DataFolderError(
      `The path ${socketPath} has ${bytes} bytes; a socket's may have ${maxSocketPathBytes}. Set DATA_DIR to a folder with a shorter path.`,
    );
  }
  const folder = await open(directory);
  return { socketPath: `${openFolders}/${folder.fd}/mongo.sock`, close: () => folder.close() };
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
  const socket = port === undefined ? await socketIn(directory) : undefined;
  const where = socket ? { socketPath: socket.socketPath } : { port };
  const store = await startEmbeddedMongo({ directory: join(directory, 'store'), ...where, logger });
  const addressFile = join(directory, 'mongo.url');
  await writeFile(addressFile, store.url);
  return {
    url: `${store.url}/?heartbeatFrequencyMS=${signOfLifeEveryMs}`,
    async stop() {
      await rm(addressFile, { force: true });
      await store.stop();
      await socket?.close();
    },
  };
}
