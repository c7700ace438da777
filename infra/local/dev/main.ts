import { existsSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findBackingService, freePort, startBackingService } from '@wayquest/testing/backing-services';
import { eventually } from '@wayquest/testing/eventually';
import { keysIn } from '../src/keys.ts';
import { createProcesses, fromSource, tsxWatch } from './processes.ts';

const say = (sentence: string) => process.stdout.write(`${sentence}\n`);

const root = resolve(import.meta.dirname, '../../..');
process.chdir(root);

const dataDirectory = process.env.DATA_DIR || '.data';
const port = Number(process.env.PORT || 8080);
const webPort = Number(process.env.WEB_PORT || 5173);

const processes = createProcesses();
const ends: (() => Promise<unknown>)[] = [processes.stop];

const end = async () => {
  for (const stop of ends.splice(0)) await stop();
  process.exit(0);
};
process.once('SIGINT', end);
process.once('SIGTERM', end);

const startStore = async (): Promise<string> => {
  if (process.env.MONGO_URL) return process.env.MONGO_URL;
  const storePort = await freePort();
  const store = processes.run('store', [
    ...fromSource,
    'infra/local/dev/store.main.ts',
    dataDirectory,
    String(storePort),
  ]);
  store.once('exit', (code) => code && void end());
  return `mongodb://127.0.0.1:${storePort}`;
};

const startRabbitMq = async (): Promise<string | undefined> => {
  const ways = await findBackingService('rabbitmq', { mayInstall: false });
  const rabbitMq = await startBackingService('rabbitmq', ways, say);
  if (rabbitMq) ends.push(rabbitMq.stop);
  return rabbitMq?.address;
};

const answers = async (url: string) => (await fetch(url)).ok;

/** Every service in a process of its own. */
async function runApart(amqpUrl: string): Promise<string[]> {
  const services = readdirSync('services').filter((name) => existsSync(`services/${name}/src/main.ts`));
  const { privateKey, publicKey } = await keysIn(dataDirectory);
  const ports = new Map<string, { port: number; managementPort: number }>();
  for (const name of services) ports.set(name, { port: await freePort(), managementPort: await freePort() });
  const gateway = { port, managementPort: await freePort() };

  const addresses = [...ports].map(([name, { port }]) => [
    `${name.toUpperCase()}_URL`,
    `http://127.0.0.1:${port}`,
  ]);
  const common = {
    LOG_LEVEL: 'warn',
    NODE_ENV: 'development',
    MONGO_URL: await startStore(),
    AMQP_URL: amqpUrl,
    JWT_PRIVATE_KEY: privateKey,
    JWT_PUBLIC_KEY: publicKey,
    ...Object.fromEntries(addresses),
  };
  const run = (name: string, main: string, { port, managementPort }: typeof gateway) =>
    processes.run(name, [...tsxWatch, main], {
      ...common,
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPort),
    });
  for (const [name, itsPorts] of ports) run(name, `services/${name}/src/main.ts`, itsPorts);
  run('gateway', 'gateway/src/main.ts', gateway);
  return [...ports.values(), gateway].map(
    ({ managementPort }) => `http://127.0.0.1:${managementPort}/readyz`,
  );
}

/** Everything in one process, restarted on changes. */
function runTogether(): string[] {
  processes.run('wayquest', [...tsxWatch, 'infra/local/src/main.ts'], {
    PORT: String(port),
    NODE_ENV: 'development',
  });
  return [`http://127.0.0.1:${port}/api/leaderboard`];
}

await mkdir(dataDirectory, { recursive: true });
const amqpUrl = await startRabbitMq();
if (!amqpUrl) {
  say(
    'There is no RabbitMQ here (AMQP_URL, Docker or rabbitmq-server): everything runs in one process instead.',
  );
}
const readiness = amqpUrl ? await runApart(amqpUrl) : runTogether();
processes.run(
  'web',
  [join(root, 'node_modules/vite/bin/vite.js'), '--port', String(webPort), '--strictPort'],
  { WAYQUEST_PORT: String(port) },
  join(root, 'web'),
);
await eventually(
  async () =>
    (await Promise.all(readiness.map(answers))).every(Boolean) &&
    (await answers(`http://localhost:${webPort}/`)),
  { withinMs: 60_000, everyMs: 200 },
).then(
  () =>
    say(
      `Wayquest is at http://localhost:${webPort} with hot reload; calls go through http://localhost:${port}`,
    ),
  () => say('Not everything has come up yet; the lines above should tell why.'),
);
