import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedMongo } from '@wayquest/embedded-mongo';
import type { Logger } from '@wayquest/platform/telemetry';

export interface OpenStore {
  url: string;
  stop(): Promise<void>;
}

/** Opens the embedded store of a data folder. Its address is in the folder's `mongo.url` as long as it is open. */
export async function openStore(directory: string, logger: Logger, port = 0): Promise<OpenStore> {
  await mkdir(directory, { recursive: true });
  const { url, stop } = await startEmbeddedMongo({ directory: join(directory, 'store'), port, logger });
  const addressFile = join(directory, 'mongo.url');
  await writeFile(addressFile, url, { mode: 0o600 });
  return {
    url,
    async stop() {
      await rm(addressFile, { force: true });
      await stop();
    },
  };
}
