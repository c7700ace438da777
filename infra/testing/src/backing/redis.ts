import type { BackingService, FindOptions, Provider } from './backing-service.ts';
import { containerService, containerStartTimeout, defaultProviders } from './default-providers.ts';
import { findProgram, freePort, startProgram } from './program.ts';

const image = process.env.REDIS_IMAGE || 'redis:7';

async function startContainer(): Promise<BackingService> {
  const { GenericContainer, Wait } = await import('testcontainers');
  // A fixed port, since the engine would assign another one after a restart.
  const port = await freePort();
  const container = await new GenericContainer(image)
    .withExposedPorts({ container: 6379, host: port })
    .withCommand(['redis-server', '--protected-mode', 'no', '--save', ''])
    .withWaitStrategy(Wait.forListeningPorts())
    .withStartupTimeout(containerStartTimeout)
    .start();
  return containerService(container, `redis://${container.getHost()}:${port}`);
}

async function startServer(command: string): Promise<BackingService> {
  const port = await freePort();
  const program = await startProgram({
    command,
    port,
    args: (folder) => ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
  });
  return { ...program, address: `redis://127.0.0.1:${port}` };
}

export const findRedisProviders = (options: FindOptions): Promise<Provider[]> =>
  defaultProviders(
    {
      variable: 'REDIS_URL',
      container: { image, start: startContainer },
      program: { find: () => findProgram(['redis-server']), start: startServer },
      debianPackage: 'redis-server',
    },
    options,
  );
