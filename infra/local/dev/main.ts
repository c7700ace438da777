import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type ServiceName, serviceNames } from '@wayquest/contracts';
import { settingsOrExit } from '@wayquest/platform/process';
import { addressSettingOf } from '@wayquest/platform/service';
import { currentText } from '@wayquest/platform/settings';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  createCleanup,
  findBackingService,
  freePort,
  startBackingService,
} from '@wayquest/testing/backing-services';
import { eventually } from '@wayquest/testing/eventually';
import { keysIn, withPublicHalf } from '../src/keys.ts';
import { makePrivate } from '../src/store.ts';
import { devSettings, environmentWith } from './settings.ts';

/** Flags with which Node runs the sources without a build. */
const fromSource = ['--import', 'tsx', '--conditions=@wayquest/source'];

/** The same, restarting when a source changes. */
const tsxWatch = [
  'node_modules/tsx/dist/cli.mjs',
  'watch',
  '--clear-screen=false',
  '--conditions=@wayquest/source',
  ...['--import', '@wayquest/platform/traces'],
];

export interface Processes {
  /** Runs Node with these settings in addition to the environment; each line of output is prefixed with the name. */
  run(name: string, args: string[], settings?: Record<string, string>, cwd?: string): ChildProcess;
  /** Stops all processes, and waits until they have exited. */
  stop(): Promise<void>;
}

/** Creates a group of processes that are stopped together. */
function createProcesses(): Processes {
  const children = new Set<ChildProcess>();
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
  });
  return {
    run(name, args, settings = {}, cwd = process.cwd()) {
      const child = spawn(process.execPath, args, {
        cwd,
        env: environmentWith(settings),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      children.add(child);
      child.once('exit', () => children.delete(child));
      for (const stream of [child.stdout, child.stderr]) {
        createInterface({ input: stream }).on('line', (line) => {
          process.stdout.write(`${name.padEnd(13)} | ${line}\n`);
        });
      }
      return child;
    },
    async stop() {
      const exited = [...children].map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of children) child.kill('SIGTERM');
      await Promise.all(exited);
    },
  };
}

const log = (sentence: string) => process.stdout.write(`${sentence}\n`);

const root = resolve(import.meta.dirname, '../../..');
process.chdir(root);

const settings = settingsOrExit(devSettings);
const { DATA_DIR, PORT, WEB_PORT, LOG_LEVEL, MONGO_URL, AMQP_URL, JWT_PRIVATE_KEY } = settings;

const cleanup = createCleanup();
const processes = createProcesses();

const startStore = async (): Promise<string> => {
  if (MONGO_URL) return MONGO_URL;
  const storePort = await freePort();
  const args = [...fromSource, 'infra/local/dev/store.main.ts', DATA_DIR, String(storePort)];
  const store = processes.run('store', args);
  store.once('exit', (code) => code && void cleanup.exit(1));
  return `mongodb://127.0.0.1:${storePort}`;
};

const startRabbitMq = async (): Promise<string | undefined> => {
  if (AMQP_URL) return AMQP_URL;
  const providers = await findBackingService('rabbitmq', { mayInstall: false });
  return (await cleanup.register(startBackingService('rabbitmq', providers, log)))?.address;
};

const responds = async (url: string) => (await fetch(url)).ok;

interface Ports {
  port: number;
  managementPort: number;
}

/** Runs every service in its own process; returns the URLs that respond once all are ready. */
async function runSeparately(amqpUrl: string): Promise<string[]> {
  const { privateKey, publicKey } = JWT_PRIVATE_KEY
    ? withPublicHalf(JWT_PRIVATE_KEY)
    : await keysIn(DATA_DIR, createLogger({ name: 'dev', level: 'warn' }));
  const ports = new Map<ServiceName, Ports>();
  for (const name of serviceNames) {
    ports.set(name, { port: await freePort(), managementPort: await freePort() });
  }
  const gateway = { port: PORT, managementPort: await freePort() };

  const addresses = [...ports].map(([name, { port }]) => [
    addressSettingOf(name),
    `http://127.0.0.1:${port}`,
  ]);
  const common = {
    LOG_LEVEL,
    NODE_ENV: 'development',
    MONGO_URL: await startStore(),
    AMQP_URL: amqpUrl,
    JWT_PRIVATE_KEY: currentText(privateKey),
    JWT_PUBLIC_KEY: currentText(publicKey),
    ...Object.fromEntries(addresses),
  };
  const run = (name: string, main: string, { port, managementPort }: Ports, known = {}) =>
    processes.run(name, [...tsxWatch, main], {
      ...common,
      ...known,
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPort),
    });
  for (const [name, servicePorts] of ports)
    run(name, `services/${name}/src/main.ts`, servicePorts, { HOST: '127.0.0.1' });
  run('gateway', 'gateway/src/main.ts', gateway);
  return [...ports.values(), gateway].map(
    ({ managementPort }) => `http://127.0.0.1:${managementPort}/readyz`,
  );
}

/** Runs everything in one process, which restarts on changes; returns a URL that responds once it is ready. */
function runInOneProcess(): string[] {
  processes.run('wayquest', [...tsxWatch, 'infra/local/src/main.ts'], { NODE_ENV: 'development' });
  return [`http://127.0.0.1:${PORT}/api/leaderboard`];
}

await makePrivate(DATA_DIR);
const amqpUrl = await startRabbitMq();
void cleanup.register(Promise.resolve(processes));
if (!amqpUrl) {
  log('RabbitMQ is not available (AMQP_URL, Docker or rabbitmq-server), so everything runs in one process.');
}
const readiness = amqpUrl ? await runSeparately(amqpUrl) : runInOneProcess();
processes.run(
  'web',
  [join(root, 'node_modules/vite/bin/vite.js'), '--port', String(WEB_PORT), '--strictPort'],
  { WAYQUEST_PORT: String(PORT) },
  join(root, 'web'),
);
await eventually(
  async () =>
    (await Promise.all(readiness.map(responds))).every(Boolean) &&
    (await responds(`http://localhost:${WEB_PORT}/`)),
  { withinMs: 60_000, everyMs: 200 },
).then(
  () =>
    log(
      `Wayquest is at http://localhost:${WEB_PORT} with hot reload; calls go through http://localhost:${PORT}`,
    ),
  () => log('Not everything has started yet; see the lines above.'),
);
