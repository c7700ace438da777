import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { BackingService, FindOptions, Provider } from './backing-service.ts';
import {
  containerService,
  containerStartTimeout,
  defaultProviders,
  engineContainer,
} from './default-providers.ts';
import { findProgram, freePort, startProgram } from './program.ts';

const run = promisify(execFile);

const image = process.env.RABBITMQ_IMAGE || 'rabbitmq:4';

async function startContainer(): Promise<BackingService> {
  const { GenericContainer, Wait } = await import('testcontainers');
  // Not the container of Testcontainers' module: it waits for a log line that not every image writes. A fixed port,
  // since the engine would assign another one after a restart.
  const port = await freePort();
  const container = await new GenericContainer(image)
    .withExposedPorts({ container: 5672, host: port })
    .withWaitStrategy(Wait.forListeningPorts())
    .withStartupTimeout(containerStartTimeout)
    .start();
  const control = async (...command: string[]) => {
    const { exitCode, output } = await container.exec(['rabbitmqctl', ...command]);
    if (exitCode !== 0) throw new Error(output);
  };
  let isKilled = false;
  return {
    ...containerService(container, `amqp://guest:guest@${container.getHost()}:${port}`),
    control,
    shutDown: () => control('stop_app'),
    async kill() {
      isKilled = true;
      await (await engineContainer(container)).kill();
    },
    async restart() {
      if (isKilled) await container.restart();
      else await control('start_app');
      isKilled = false;
    },
  };
}

async function startServer(command: string): Promise<BackingService> {
  const [port, distributionPort, epmdPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const env = (folder: string): NodeJS.ProcessEnv => ({
    HOME: folder,
    ERL_EPMD_PORT: String(epmdPort),
    RABBITMQ_NODENAME: `wayquest-${port}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(distributionPort),
    RABBITMQ_BASE: folder,
    RABBITMQ_MNESIA_BASE: join(folder, 'data'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_CONFIG_FILE: join(folder, 'none'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
  });
  const server = await startProgram({ command, port, args: () => [], env });
  const controlEnv = { ...process.env, ...env(server.folder) };
  const control = async (...action: string[]) => {
    await run(join(dirname(command), 'rabbitmqctl'), action, { env: controlEnv });
  };
  return {
    address: `amqp://guest:guest@127.0.0.1:${port}`,
    control,
    shutDown: () => control('stop_app'),
    restart: () => control('start_app'),
    async stop() {
      await server.stop();
      // Erlang leaves its port mapper running; this one is used by this broker only.
      await run('epmd', ['-port', String(epmdPort), '-kill']).catch(() => {});
    },
  };
}

export const findRabbitMqProviders = (options: FindOptions): Promise<Provider[]> =>
  defaultProviders(
    {
      variable: 'AMQP_URL',
      container: { image, start: startContainer },
      // Debian's program in PATH requires its own user; the one that it calls does not.
      program: {
        find: () => findProgram(['rabbitmq-server'], ['/usr/lib/rabbitmq/bin']),
        start: startServer,
      },
      debianPackage: 'rabbitmq-server',
    },
    options,
  );
