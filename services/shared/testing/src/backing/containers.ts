import type { StartedTestContainer } from 'testcontainers';
import type { BackingService } from './backing-service.ts';

/** Whether Docker, or what stands in for it, answers. */
export async function dockerAnswers(): Promise<boolean> {
  // Loaded late: it takes half a second, and only the process that starts containers needs it.
  const { getContainerRuntimeClient } = await import('testcontainers');
  return getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
}

/** A started container as a backing service. */
export const inContainer = (container: StartedTestContainer, address: string): BackingService => ({
  address,
  stop: async () => {
    await container.stop();
  },
});
