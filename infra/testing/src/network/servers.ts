import { connect } from 'node:net';
import { borrowBacking } from '../backing.ts';
import { givenStoreUrl } from '../store.ts';

/** Addresses of the servers of a network. */
export interface Servers {
  mongo: string;
  /** URL of RabbitMQ; undefined for the in-process bus. */
  bus: string | undefined;
  redis: string | undefined;
  /** Prefix of the images, if containers are to be started. */
  images: string | undefined;
  /** Releases servers that were borrowed. */
  release(): Promise<void>;
}

const patienceMs = 2_000;
const usualPorts: Record<string, number> = {
  mongodb: 27_017,
  amqp: 5_672,
  amqps: 5_671,
  redis: 6_379,
  rediss: 6_379,
};

/** Throws soon, with a sentence, if nothing responds at an address. `what` is the setting that names it. */
async function assertReachable(what: string, address: string): Promise<void> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const port = Number(url?.port) || usualPorts[url?.protocol.replace(':', '') ?? ''];
  if (!url?.hostname || !port)
    throw new Error(`${what}: ${address} is no address of one server, such as amqp://localhost:5672`);
  const failure = await new Promise<string | undefined>((resolve) => {
    const socket = connect({ port, host: url.hostname, timeout: patienceMs });
    const end = (reason?: string) => {
      socket.destroy();
      resolve(reason);
    };
    socket.once('connect', () => end());
    socket.once('timeout', () => end('it is silent'));
    socket.once('error', (error) => end('code' in error ? String(error.code) : error.message));
  });
  if (failure) throw new Error(`${what}: nothing answers at ${url.host} (${failure})`);
}

interface Wanted {
  mongo?: string | undefined;
  bus: string;
  redis?: string | undefined;
  as?: string | undefined;
}

/**
 * Finds the servers, or starts those that are not external; throws immediately with a sentence about one that does not
 * respond.
 */
export async function findServers({ mongo, bus, redis, as }: Wanted): Promise<Servers> {
  const { need, release } = borrowBacking();
  const given = async (name: string, address: string) => {
    await assertReachable(name, address);
    return address;
  };
  try {
    return {
      mongo: await (mongo === undefined
        ? (givenStoreUrl() ?? need('embedded-store'))
        : given('mongo', mongo)),
      bus:
        bus === 'in-process' ? undefined : await (bus === 'rabbitmq' ? need('rabbitmq') : given('bus', bus)),
      redis: redis && (await (redis === 'redis' ? need('redis') : given('redis', redis))),
      images: as === 'containers' ? await need('images') : undefined,
      release,
    };
  } catch (error) {
    await release();
    throw error;
  }
}
