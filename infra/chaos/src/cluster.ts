import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { serviceNames } from '@wayquest/contracts';
import { freePort, generateKeys } from '@wayquest/testing';
import type { Cleanup } from '@wayquest/testing/backing-services';
import { eventually } from '@wayquest/testing/eventually';
import { type Restartable, startServers } from './command.ts';

const root = resolve(import.meta.dirname, '../../..');

/** A service in its own process, as in production. */
interface ServiceProcess {
  url: string;
  start(): Promise<void>;
  /** kill -9 */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const killFunctions = new Set<() => void>();
process.once('exit', () => {
  for (const kill of killFunctions) kill();
});

/** A built program with its ports; `start` resolves when it is ready. */
async function createProgram(main: string, env: Record<string, string>): Promise<ServiceProcess> {
  const [port, managementPort] = [await freePort(), await freePort()];
  let child: ChildProcess | undefined;

  const terminate = async (signal: NodeJS.Signals) => {
    const running = child;
    child = undefined;
    if (!running || running.exitCode !== null) return;
    const exited = once(running, 'exit');
    running.kill(signal);
    await exited;
  };
  killFunctions.add(() => child?.kill('SIGKILL'));

  return {
    url: `http://127.0.0.1:${port}`,
    async start() {
      child = spawn(process.execPath, [resolve(root, main)], {
        env: {
          PATH: process.env.PATH,
          LOG_LEVEL: process.env.LOG_LEVEL || 'fatal',
          ...env,
          PORT: String(port),
          MANAGEMENT_PORT: String(managementPort),
        },
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      const ready = async () => (await fetch(`http://127.0.0.1:${managementPort}/readyz`)).ok;
      await eventually(ready, { withinMs: 60_000, everyMs: 100 });
    },
    kill: () => terminate('SIGKILL'),
    stop: () => terminate('SIGTERM'),
  };
}

/** The part of Wayquest that chat needs, each service in its own process, realtime in three. */
export interface Cluster {
  url: string;
  privateKey: string;
  realtime: ServiceProcess[];
  redis: Restartable;
  rabbitMq: Restartable;
}

const main = (service: string) => `services/${service}/dist/main.js`;

/** Starts the cluster; the cleanup stops it. */
export async function startCluster(cleanup: Cleanup): Promise<Cluster> {
  const { privateKey, publicKey } = generateKeys();
  const { mongo, redis, rabbitmq } = await startServers(cleanup);
  // These services are not needed here, so nothing listens at their addresses.
  const unreachableUrls = Object.fromEntries(
    serviceNames.map((name) => [`${name.toUpperCase()}_URL`, 'http://127.0.0.1:9']),
  );
  const common = {
    ...unreachableUrls,
    MONGO_URL: mongo.address,
    REDIS_URL: redis.address,
    AMQP_URL: rabbitmq.address,
    JWT_PUBLIC_KEY: publicKey,
  };
  const unlimited = '1000000';
  const users = await createProgram(main('users'), common);
  const friends = await createProgram(main('friends'), { ...common, USERS_URL: users.url });
  const chat = await createProgram(main('chat'), {
    ...common,
    FRIENDS_URL: friends.url,
    MESSAGES_PER_MINUTE: unlimited,
    MESSAGES_UNANSWERED: unlimited,
    NEW_ACCOUNT_HOURS: '0',
  });
  const realtime = await Promise.all([1, 2, 3].map(() => createProgram(main('realtime'), common)));
  const gateway = await createProgram('gateway/dist/main.js', {
    ...unreachableUrls,
    USERS_URL: users.url,
    FRIENDS_URL: friends.url,
    CHAT_URL: chat.url,
    REALTIME_URL: realtime.map(({ url }) => url).join(','),
    RATE_LIMIT_PER_IP: unlimited,
    RATE_LIMIT_PER_TOKEN: unlimited,
    RATE_LIMIT_PER_ACCOUNT: unlimited,
    MAX_CONCURRENT_REQUESTS_PER_IP: unlimited,
    MAX_CONCURRENT_REQUESTS_PER_TOKEN: unlimited,
    MAX_SOCKETS_PER_IP: unlimited,
  });
  const programs = [users, friends, chat, ...realtime, gateway];
  for (const program of programs) {
    void cleanup.register(Promise.resolve(program));
    await program.start();
  }
  return {
    url: gateway.url,
    privateKey,
    realtime,
    redis,
    rabbitMq: rabbitmq,
  };
}
