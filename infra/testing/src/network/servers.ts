import { borrowBacking } from '../backing.ts';
import { givenStoreUrl } from '../store.ts';
import { mustAnswer } from './reach.ts';

/** Where the servers of a network are. */
export interface Servers {
  mongo: string;
  /** RabbitMQ's; none where events stay in the process. */
  bus: string | undefined;
  redis: string | undefined;
  /** What the names of the images begin with, where there are to be containers. */
  images: string | undefined;
  /** They are no longer needed. */
  release(): Promise<void>;
}

interface Wanted {
  mongo?: string | undefined;
  bus: string;
  redis?: string | undefined;
  as?: string | undefined;
}

/** Finds them, or starts them where that is nobody else's; throws a sentence at once about what does not answer. */
export async function findServers({ mongo, bus, redis, as }: Wanted): Promise<Servers> {
  const { need, release } = borrowBacking();
  const given = async (name: string, address: string) => {
    await mustAnswer(name, address);
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
