import { generateKeys } from '@wayquest/testing';
import type { Cleanup } from '@wayquest/testing/backing-services';
import { type Restartable, startRestartable, startStore } from './backing.ts';
import { createProgram, type Program } from './programs.ts';

/** The part of Wayquest that chat needs, each service in a process of its own, realtime in three. */
export interface Cluster {
  url: string;
  privateKey: string;
  realtime: Program[];
  redis: Restartable;
  rabbitMq: Restartable;
}

const main = (service: string) => `services/${service}/dist/main.js`;

/** Starts it; the cleanup stops it. */
export async function startCluster({ keep }: Cleanup): Promise<Cluster> {
  const { privateKey, publicKey } = generateKeys();
  const [store, redis, rabbitMq] = [
    await keep(startStore()),
    await keep(startRestartable('redis')),
    await keep(startRestartable('rabbitmq')),
  ];
  const common = {
    MONGO_URL: store.address,
    REDIS_URL: redis.address,
    AMQP_URL: rabbitMq.address,
    JWT_PUBLIC_KEY: publicKey,
  };
  const plenty = '1000000';
  // Nobody logs in or joins anything here, so nothing listens there.
  const nowhere = 'http://127.0.0.1:9';
  const users = await createProgram(main('users'), {
    ...common,
    AUTH_URL: nowhere,
    PARTICIPATION_URL: nowhere,
  });
  const friends = await createProgram(main('friends'), { ...common, USERS_URL: users.url });
  const chat = await createProgram(main('chat'), {
    ...common,
    FRIENDS_URL: friends.url,
    MESSAGES_PER_MINUTE: plenty,
  });
  const realtime = await Promise.all([1, 2, 3].map(() => createProgram(main('realtime'), common)));
  const gateway = await createProgram('gateway/dist/main.js', {
    AUTH_URL: nowhere,
    CHALLENGES_URL: nowhere,
    PARTICIPATION_URL: nowhere,
    PLACES_URL: nowhere,
    USERS_URL: users.url,
    FRIENDS_URL: friends.url,
    CHAT_URL: chat.url,
    REALTIME_URL: realtime.map(({ url }) => url).join(','),
    LIMIT_PER_ADDRESS: plenty,
    LIMIT_PER_CALLER: plenty,
    LIMIT_PER_ACCOUNT: plenty,
    LIMIT_AT_ONCE_PER_ADDRESS: plenty,
    LIMIT_AT_ONCE_PER_CALLER: plenty,
    LIMIT_SOCKETS: plenty,
  });
  const programs = [users, friends, chat, ...realtime, gateway];
  for (const program of programs) {
    void keep(Promise.resolve(program));
    await program.start();
  }
  return {
    url: gateway.url,
    privateKey,
    realtime,
    redis,
    rabbitMq,
  };
}
