import { existsSync } from 'node:fs';
import { chmod, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startEmbeddedMongo } from '@wayquest/embedded-mongo';
import type { Logger } from '@wayquest/platform/telemetry';

export interface OpenStore {
  url: string;
  stop(): Promise<void>;
}

/** Maximum length of a socket's path on all systems (`sun_path` in sockaddr_un), in bytes; Linux allows four more. */
const maxSocketPathBytes = 103;

/** A data folder that cannot be used; the message says what the person can do. */
export class DataFolderError extends Error {}

/**
 * Creates a folder that only its owner can access; the same applies to all files that this process creates from now on.
 * It contains password hashes and the key that signs tokens.
 */
export async function makePrivate(directory: string): Promise<void> {
  process.umask(0o077);
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o700);
}

interface SocketPath {
  socketPath: string;
  close(): Promise<void>;
}

/**
 * Returns the path of the store's socket: in the data folder, so that access to the folder is access to the store. If
 * the path is too long, it goes through the folder's open file descriptor.
 *
 * @throws `DataFolderError` if the path is too long and the system does not support that.
 */
async function socketIn(directory: string): Promise<SocketPath> {
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

/**
 * Long, since the store is on this machine, often in the same process: a lost connection is noticed without heartbeats.
 */
const heartbeatIntervalMs = 60_000;

/**
 * Opens the embedded store of a data folder: on a socket that only its owner can connect to, or on a port, for every
 * program of this machine. While it is open, the folder's `mongo.url` contains its URL.
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
    url: `${store.url}/?heartbeatFrequencyMS=${heartbeatIntervalMs}`,
    async stop() {
      await rm(addressFile, { force: true });
      await store.stop();
      await socket?.close();
    },
  };
}
