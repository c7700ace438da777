import { connect } from 'node:net';
import { acquireShared } from '../backing.ts';
import { assignedStoreUrl } from '../store.ts';

/** Addresses of the servers of a network. */
export interface Servers {
  mongo: string;
  /** URL of RabbitMQ; undefined for the in-process bus. */
  bus: string | undefined;
  redis: string | undefined;
  /** Prefix of the images, if containers are to be started. */
  images: string | undefined;
  /** Releases shared servers. */
  release(): Promise<void>;
}

const connectTimeoutMs = 2_000;
const defaultPorts: Record<string, number> = {
  mongodb: 27_017,
  amqp: 5_672,
  amqps: 5_671,
  redis: 6_379,
  rediss: 6_379,
};

/**
 * Throws within two seconds if no server responds at an address.
 *
 * @param setting - The setting with the address, for the error message.
 */
async function assertReachable(setting: string, address: string): Promise<void> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const port = Number(url?.port) || defaultPorts[url?.protocol.replace(':', '') ?? ''];
  if (!url?.hostname || !port)
    throw new Error(`${setting}: ${address} is not the address of a server, such as amqp://localhost:5672`);
  const failure = await new Promise<string | undefined>((resolve) => {
    const socket = connect({ port, host: url.hostname, timeout: connectTimeoutMs });
    const end = (reason?: string) => {
      socket.destroy();
      resolve(reason);
    };
    socket.once('connect', () => end());
    socket.once('timeout', () => end('timeout'));
    socket.once('error', (error) => end('code' in error ? String(error.code) : error.message));
  });
  if (failure) throw new Error(`${setting}: no server responds at ${url.host} (${failure})`);
}

interface ServerOptions {
  mongo?: string | undefined;
  bus: string;
  redis?: string | undefined;
  as?: string | undefined;
}

/**
 * Finds the servers of a network, and starts those that are not external.
 *
 * @throws If an external server does not respond.
 */
export async function findServers({ mongo, bus, redis, as }: ServerOptions): Promise<Servers> {
  const { need, release } = acquireShared();
  const requireReachable = async (name: string, address: string) => {
    await assertReachable(name, address);
    return address;
  };
  try {
    return {
      mongo: await (mongo === undefined
        ? (assignedStoreUrl() ?? need('embedded-store'))
        : requireReachable('mongo', mongo)),
      bus:
        bus === 'in-process'
          ? undefined
          : await (bus === 'rabbitmq' ? need('rabbitmq') : requireReachable('bus', bus)),
      redis: redis && (await (redis === 'redis' ? need('redis') : requireReachable('redis', redis))),
      images: as === 'containers' ? await need('images') : undefined,
      release,
    };
  } catch (error) {
    await release();
    throw error;
  }
}
