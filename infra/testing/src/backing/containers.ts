import type { StartedTestContainer } from 'testcontainers';
import type { BackingService } from './backing-service.ts';

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
