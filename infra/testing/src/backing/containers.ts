import type { StartedTestContainer } from 'testcontainers';
import type { BackingService } from './backing-service.ts';

/** Whether Docker, or a compatible engine, responds. */
export async function dockerAnswers(): Promise<boolean> {
  // Imported late: it takes half a second, and only the process that starts containers needs it.
  const { getContainerRuntimeClient } = await import('testcontainers');
  return getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
}

/** The container in the engine's own client, since Testcontainers cannot pause. */
export async function inEngine(container: StartedTestContainer) {
  const { getContainerRuntimeClient } = await import('testcontainers');
  return (await getContainerRuntimeClient()).container.getById(container.getId());
}

/** A started container as a backing service. */
export const inContainer = (container: StartedTestContainer, address: string): BackingService => ({
  address,
  pause: async () => void (await (await inEngine(container)).pause()),
  async resume() {
    const engineContainer = await inEngine(container);
    // Resuming twice is no error, as for a process.
    if ((await engineContainer.inspect()).State.Paused) await engineContainer.unpause();
  },
  goAway: async () => {
    // Stopped, not killed: a killed store may find its own lock file at the next start, and refuse to start.
    await container.stop({ remove: false, timeout: 10_000 });
  },
  kill: async () => void (await (await inEngine(container)).kill()),
  comeBack: () => container.restart(),
  stop: async () => {
    await container.stop();
  },
});
