import { createInterface } from 'node:readline';
import { version } from '@wayquest/platform/telemetry';
import type { StartedNetwork, StartedTestContainer, WaitStrategy } from 'testcontainers';
import { engineContainer } from '../backing/default-providers.ts';
import { freePort } from '../backing/program.ts';
import { type Part, type PartOptions, waitUntilReady } from './part.ts';

/** Host name that containers use for the host machine. */
export const hostMachine = 'host.docker.internal';

/** Ports in the container, as in the images. */
const port = 8_080;
const managementPort = 9_090;

/** The network itself waits for readiness. */
const noWait: WaitStrategy = {
  waitUntilReady: async () => {},
  withStartupTimeout: () => noWait,
  isStartupTimeoutSet: () => true,
  getStartupTimeout: () => 60_000,
};

/** Creates a part in a container of its own image, under its host name in `docker-compose.yml`. */
export async function createContainerPart({
  name,
  print,
  image,
  network,
}: PartOptions & { image: string; network: StartedNetwork }): Promise<Part> {
  const [hostPort, hostManagementPort] = [await freePort(), await freePort()];
  const managementUrl = `http://127.0.0.1:${hostManagementPort}`;
  let container: StartedTestContainer | undefined;

  const isRunning = async (one: StartedTestContainer) =>
    (await (await engineContainer(one)).inspect()).State.Running;
  const remove = async (timeout: number) => {
    await container?.stop({ timeout });
    container = undefined;
  };

  return {
    name,
    url: `http://127.0.0.1:${hostPort}`,
    managementUrl,
    async start(env) {
      const { GenericContainer } = await import('testcontainers');
      const started = await new GenericContainer(
        `${image}-${name}:${process.env.WAYQUEST_VERSION || version}`,
      )
        .withEnvironment(env)
        .withNetwork(network)
        .withNetworkAliases(name)
        .withExtraHosts([{ host: hostMachine, ipAddress: 'host-gateway' }])
        .withExposedPorts(
          { container: port, host: hostPort },
          { container: managementPort, host: hostManagementPort },
        )
        .withLogConsumer((stream) => createInterface({ input: stream }).on('line', print))
        .withWaitStrategy(noWait)
        .start();
      container = started;
      let exitReason: string | undefined;
      const checkContainer = async () => {
        if (!(await isRunning(started))) exitReason = 'its container stopped';
      };
      await waitUntilReady(name, managementUrl, () => {
        void checkContainer();
        return exitReason;
      });
    },
    pause: async () => void (container && (await (await engineContainer(container)).pause())),
    async resume() {
      const inEngine = container && (await engineContainer(container));
      // Resuming twice is no error, as for a process.
      if ((await inEngine?.inspect())?.State.Paused) await inEngine?.unpause();
    },
    async kill() {
      if (container) await (await engineContainer(container)).kill();
      await remove(0);
    },
    stop: () => remove(10_000),
  };
}
