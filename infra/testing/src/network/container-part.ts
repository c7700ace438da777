import { createInterface } from 'node:readline';
import type { StartedNetwork, StartedTestContainer, WaitStrategy } from 'testcontainers';
import { inEngine } from '../backing/containers.ts';
import { freePort } from '../backing/free-port.ts';
import { type Part, type PartOptions, untilReady } from './part.ts';

/** The host name of the host machine in a container. */
export const machine = 'host.docker.internal';

/** Ports in the container, as in the images. */
const port = 8_080;
const managementPort = 9_090;

/** The network itself waits for readiness. */
const atOnce: WaitStrategy = {
  waitUntilReady: async () => {},
  withStartupTimeout: () => atOnce,
  isStartupTimeoutSet: () => true,
  getStartupTimeout: () => 60_000,
};

/** A part in a container of its own image, with the host name that `docker-compose.yml` gives it. */
export async function createContainerPart({
  name,
  print,
  image,
  network,
}: PartOptions & { image: string; network: StartedNetwork }): Promise<Part> {
  const [published, management] = [await freePort(), await freePort()];
  const managementUrl = `http://127.0.0.1:${management}`;
  let container: StartedTestContainer | undefined;

  const isRunning = async (one: StartedTestContainer) =>
    (await (await inEngine(one)).inspect()).State.Running;
  const remove = async (timeout: number) => {
    await container?.stop({ timeout });
    container = undefined;
  };

  return {
    name,
    url: `http://127.0.0.1:${published}`,
    managementUrl,
    async start(env) {
      const { GenericContainer } = await import('testcontainers');
      const started = await new GenericContainer(`${image}-${name}`)
        .withEnvironment(env)
        .withNetwork(network)
        .withNetworkAliases(name)
        .withExtraHosts([{ host: machine, ipAddress: 'host-gateway' }])
        .withExposedPorts(
          { container: port, host: published },
          { container: managementPort, host: management },
        )
        .withLogConsumer((stream) => createInterface({ input: stream }).on('line', print))
        .withWaitStrategy(atOnce)
        .start();
      container = started;
      let ended: string | undefined;
      const look = async () => {
        if (!(await isRunning(started))) ended = 'its container stopped';
      };
      await untilReady(name, managementUrl, () => {
        void look();
        return ended;
      });
    },
    pause: async () => void (container && (await (await inEngine(container)).pause())),
    async resume() {
      const engineContainer = container && (await inEngine(container));
      // Resuming twice is no error, as for a process.
      if ((await engineContainer?.inspect())?.State.Paused) await engineContainer?.unpause();
    },
    async kill() {
      if (container) await (await inEngine(container)).kill();
      await remove(0);
    },
    stop: () => remove(10_000),
  };
}
