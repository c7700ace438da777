import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { BackingService, Way } from './backing-service.ts';
import { freePort } from './free-port.ts';
import { startProgram } from './program.ts';

async function startStore(): Promise<BackingService> {
  const port = await freePort();
  const program = await startProgram({
    command: process.execPath,
    port,
    args: (folder) => [
      '--import',
      createRequire(import.meta.url).resolve('tsx'),
      '--conditions=@wayquest/source',
      fileURLToPath(new URL('embedded-store.main.ts', import.meta.url)),
      folder,
      String(port),
    ],
  });
  return { ...program, address: `mongodb://127.0.0.1:${port}` };
}

export const waysToEmbeddedStore = async (): Promise<Way[]> => [
  { how: 'a process of its own', start: startStore },
];
