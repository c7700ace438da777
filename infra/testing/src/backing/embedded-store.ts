import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BackingService, Provider } from './backing-service.ts';
import { freePort } from './free-port.ts';
import { startProgram } from './program.ts';

/** From its source if this module is a source, otherwise from its build. */
const program = import.meta.filename.endsWith('.ts')
  ? [
      ...['--import', createRequire(import.meta.url).resolve('tsx'), '--conditions=@wayquest/source'],
      join(import.meta.dirname, 'embedded-store.main.ts'),
    ]
  : [join(import.meta.dirname, 'embedded-store.main.js')];

async function startStore(): Promise<BackingService> {
  const port = await freePort();
  const store = await startProgram({
    command: process.execPath,
    port,
    args: (folder) => [...program, folder, String(port)],
  });
  return { ...store, address: `mongodb://127.0.0.1:${port}` };
}

export const findEmbeddedStoreProviders = async (): Promise<Provider[]> => [
  { description: 'a process of its own', start: startStore },
];
