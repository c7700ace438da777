import { borrowBacking } from '../backing.ts';
import { givenStoreUrl } from '../store.ts';
import { assertReachable } from './reach.ts';

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
