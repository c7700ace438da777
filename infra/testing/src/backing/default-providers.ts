import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import type { StartedTestContainer } from 'testcontainers';
import type { BackingService, FindOptions, Provider } from './backing-service.ts';

/** How long a container may take to start, in milliseconds: minutes on a slow machine that builds images meanwhile. */
export const containerStartTimeout = 180_000;

/** Whether Docker, or a compatible engine, responds. */
export async function isDockerAvailable(): Promise<boolean> {
  // Imported late: it takes half a second, and only the process that starts containers needs it.
  const { getContainerRuntimeClient } = await import('testcontainers');
  return getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
}

/** Returns a container in the engine's own client, which can pause it; Testcontainers cannot. */
export async function engineContainer(container: StartedTestContainer) {
  const { getContainerRuntimeClient } = await import('testcontainers');
  return (await getContainerRuntimeClient()).container.getById(container.getId());
}

/** Wraps a started container as a backing service. */
export const containerService = (container: StartedTestContainer, address: string): BackingService => ({
  address,
  pause: async () => void (await (await engineContainer(container)).pause()),
  async resume() {
    const inEngine = await engineContainer(container);
    // Resuming twice is no error, as for a process.
    if ((await inEngine.inspect()).State.Paused) await inEngine.unpause();
  },
  shutDown: async () => {
    // Stopped, not killed: a killed store may find its own lock file at the next start, and refuse to start.
    await container.stop({ remove: false, timeout: 10_000 });
  },
  kill: async () => void (await (await engineContainer(container)).kill()),
  restart: () => container.restart(),
  stop: async () => {
    await container.stop();
  },
});

const run = promisify(execFile);

/** Whether packages can be installed: on Debian and its derivatives, as root. */
const canInstall = (): boolean => existsSync('/etc/debian_version') && process.getuid?.() === 0;

let installing: Promise<unknown> = Promise.resolve();

/** Installs packages one after the other, since apt-get locks. */
function install(name: string): Promise<void> {
  const installed = installing.then(async () => {
    const timeout = 180_000;
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { env, timeout });
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], { env, timeout });
  });
  installing = installed.catch(() => {});
  return installed;
}

interface DefaultProviders {
  /** The environment variable with the address of an external service, which tests do not stop. */
  variable?: string;
  container?: { image: string; start(): Promise<BackingService> };
  program: { find(): string | undefined; start(command: string): Promise<BackingService> };
  debianPackage?: string;
}

/**
 * The environment variable, otherwise a container if Docker responds, otherwise the program in PATH, otherwise Debian's
 * package.
 */
export async function defaultProviders(
  { variable, container, program, debianPackage }: DefaultProviders,
  { mayInstall }: FindOptions,
): Promise<Provider[]> {
  const providers: Provider[] = [];
  const address = variable && process.env[variable];
  if (address) {
    providers.push({
      description: variable,
      isExternal: true,
      start: async () => ({ address, stop: async () => {} }),
    });
  }
  if (container && (await isDockerAvailable())) {
    providers.push({ description: `a container of ${container.image}`, start: container.start });
  }
  const command = program.find();
  if (command) providers.push({ description: command, start: () => program.start(command) });
  else if (debianPackage && mayInstall && canInstall()) {
    providers.push({
      description: `${debianPackage} by apt-get`,
      async start() {
        await install(debianPackage);
        return program.start(program.find() ?? debianPackage);
      },
    });
  }
  return providers;
}
