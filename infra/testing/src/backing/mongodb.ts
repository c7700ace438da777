import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BackingService, FindOptions, Provider } from './backing-service.ts';
import { containerService, containerStartTimeout, defaultProviders } from './default-providers.ts';
import { findProgram, freePort, startProgram } from './program.ts';

const image = process.env.MONGO_IMAGE || 'mongo:8';

async function startContainer(): Promise<BackingService> {
  const { GenericContainer, Wait } = await import('testcontainers');
  // A fixed port, since the engine would assign another one after a restart.
  const port = await freePort();
  const container = await new GenericContainer(image)
    .withCommand(['mongod'])
    .withExposedPorts({ container: 27017, host: port })
    .withWaitStrategy(Wait.forLogMessage(/Waiting for connections/i))
    .withStartupTimeout(containerStartTimeout)
    .start();
  return containerService(container, `mongodb://${container.getHost()}:${port}`);
}

async function startServer(command: string): Promise<BackingService> {
  const port = await freePort();
  const program = await startProgram({
    command,
    port,
    args: (folder) => ['--port', String(port), '--bind_ip', '127.0.0.1', '--dbpath', folder],
  });
  return { ...program, address: `mongodb://127.0.0.1:${port}` };
}

export const findMongoDbProviders = (options: FindOptions): Promise<Provider[]> =>
  defaultProviders(
    {
      variable: 'MONGO_URL',
      container: { image, start: startContainer },
      program: { find: () => findProgram(['mongod']), start: startServer },
    },
    options,
  );

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
