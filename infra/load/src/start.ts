import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { allInOneSettings } from '@wayquest/local';
import { createAllInOne } from '@wayquest/local/all-in-one';
import { loadSettings } from '@wayquest/platform/settings';
import { createLogger } from '@wayquest/platform/telemetry';
import { freePort } from '@wayquest/testing';
import mongoose from 'mongoose';
import { median, printLine, startStore } from './measure.ts';

/**
 * The all-in-one process as started by `make start`: how soon it responds at the second start, and what it uses when
 * idle.
 */
const starts = 3;
const idleMs = 20_000;
const program = resolve(import.meta.dirname, '../../local/dist/bundle.mjs');

const folder = await mkdtemp(join(tmpdir(), 'wayquest-start-'));

async function start() {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const isThere = () =>
    fetch(`http://127.0.0.1:${port}/api/leaderboard`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isThere())) await pause(10);
  const ms = performance.now() - began;
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
  };
  return { ms, stop, pid: child.pid };
}

/** CPU time in ticks of 10 ms, as in Linux. */
const ticksOf = async (pid: number | undefined) => {
  const [, , , , , , , , , , , user, system] = (await readFile(`/proc/${pid}/stat`, 'utf8'))
    .replace(/^.*\) /, ') ')
    .split(' ');
  return Number(user) + Number(system);
};

const memoryOf = async (pid: number | undefined) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

const first = await start();
printLine(`the first start took ${first.ms.toFixed(0)} ms`);
// The demo data is created in this time.
await pause(idleMs);
await first.stop();
const took: number[] = [];
for (let round = 0; round < starts; round++) {
  const { ms, stop } = await start();
  took.push(ms);
  await stop();
}
const idle = await start();
await pause(idleMs);
const ticks = await ticksOf(idle.pid);
await pause(idleMs);
const cpu = ((await ticksOf(idle.pid)) - ticks) / (idleMs / 1_000);
const memory = await memoryOf(idle.pid);
await idle.stop();
await rm(folder, { recursive: true });

let commands = 0;
const store = await startStore();
const url = new URL(store.address);
url.pathname = '/';
url.searchParams.set('monitorCommands', 'true');
// The same in this process, including the bus, so that its store commands can be counted.
const counted = await mkdtemp(join(tmpdir(), 'wayquest-idle-'));
const port = String(await freePort());
const wayquest = createAllInOne(
  loadSettings(allInOneSettings, { PORT: port, DATA_DIR: counted, MONGO_URL: url.href, DEMO: '0' }),
  createLogger({ name: 'load', level: 'error' }),
);
await wayquest.start();
await pause(idleMs);
for (const connection of mongoose.connections)
  if (connection.readyState === mongoose.ConnectionStates.connected)
    connection.getClient().on('commandStarted', () => {
      commands += 1;
    });
await pause(idleMs);
const perSecond = commands / (idleMs / 1_000);
await wayquest.stop();
await store.stop();
await rm(counted, { recursive: true });

const figures = { start: median(took), memory, cpu, commands: perSecond };
printLine(`${starts} more starts took ${took.map((ms) => ms.toFixed(0)).join(', ')} ms`);
printLine(
  `idle: ${memory.toFixed(0)} MiB, ${cpu.toFixed(1)} % of a core, ${perSecond.toFixed(1)} store commands a second`,
);
process.send?.({ figures });
process.exit(0);
