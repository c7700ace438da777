import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once, setMaxListeners } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, createClient } from '@wayquest/contracts';
import { freePort } from '@wayquest/testing';
import { eventually } from '@wayquest/testing/eventually';
import { printLine } from '../measure.ts';
import { type Attacker, attacks } from './attacks.ts';

/** The attacked installation. */
interface Target {
  url: string;
  /** Resident memory in MiB; undefined for an external installation. */
  memory(): Promise<number | undefined>;
  stop(): Promise<void>;
}

const root = resolve(import.meta.dirname, '../../../..');

/** Starts the all-in-one process with its default limits, behind a proxy, which this process acts as. */
async function startAllInOne(): Promise<Target> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'wayquest-attack-'));
  const program = spawn(process.execPath, [join(root, 'infra/local/dist/bundle.mjs')], {
    env: { ...process.env, PORT: String(port), DATA_DIR: folder, TRUSTED_PROXIES: '1', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => (await fetch(`${url}/api/leaderboard`)).ok, { withinMs: 120_000 });
  return {
    url,
    async memory() {
      const status = await readFile(`/proc/${program.pid}/status`, 'utf8').catch(() => '');
      const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
      return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024;
    },
    async stop() {
      program.kill();
      await once(program, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}

/** An installation that is running already, such as that of `make up` with `TRUSTED_PROXIES=1`. */
const targetAt = (url: string): Target => ({
  url,
  memory: async () => undefined,
  stop: async () => {},
});

/** Calls of another user: durations in milliseconds, and the number of rejected or failed calls. */
interface CallTimes {
  p50: number;
  p95: number;
  rejected: number;
  calls: number;
}

const everyMs = 200;

/** Typical calls of a user who browses. */
const typicalCalls = [
  (client: Client) => client.listChallenges({ query: { scope: 'all', limit: '50' } }),
  (client: Client) => client.getMe(),
  (client: Client) => client.getLeaderboard(),
  (client: Client) => client.listParticipations(),
  (client: Client) => client.searchPlaces({ query: { text: 'Queens' } }),
];

/** Makes calls as another user for some seconds. */
async function probe(client: Client, seconds: number): Promise<CallTimes> {
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  let rejected = 0;
  const measureCall = async (turn: number) => {
    const began = performance.now();
    try {
      await typicalCalls[turn % typicalCalls.length]?.(client);
    } catch {
      // A failure counts, whatever its reason.
      rejected += 1;
    }
    times.push(performance.now() - began);
  };
  const turns = (seconds * 1_000) / everyMs;
  for (let turn = 0; turn < turns; turn += 1) {
    pending.push(measureCall(turn));
    await pause(everyMs);
  }
  await Promise.all(pending);
  const sorted = times.toSorted((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { p50: quantile(0.5), p95: quantile(0.95), rejected, calls: times.length };
}

const [url, only = ''] = process.argv.slice(2);
const seconds = { before: 5, during: 10, after: 5 };
/** How long to wait for the memory after an attack. */
const memoryTimeoutMs = 60_000;

const target = url?.startsWith('http') ? targetAt(url) : await startAllInOne();

/** Signs up a new user, from an address. */
async function signUpFrom(address: string) {
  const username = `p${randomBytes(6).toString('hex')}`;
  const headers = () => ({ 'x-forwarded-for': address });
  const { token } = await createClient({ baseUrl: target.url, headers }).signup({
    body: { username, password: randomBytes(12).toString('hex') },
  });
  const client = createClient({ baseUrl: target.url, headers, token: () => token, timeoutMs: 30_000 });
  return { client, token, id: (await client.getMe()).id };
}

const format = ({ p50, p95, rejected }: CallTimes) =>
  `${p50.toFixed(0)} / ${p95.toFixed(0)}${rejected ? ` (${rejected} rejected)` : ''}`;

const megabytes = (memory: number | undefined) => (memory === undefined ? '–' : memory.toFixed(0));

/** Waits until the memory is about what it was before, or a timeout; returns the memory and the time. */
async function backToNormal(before: number | undefined): Promise<string> {
  if (before === undefined) return '–';
  const began = performance.now();
  for (;;) {
    const now = (await target.memory()) ?? 0;
    const waited = performance.now() - began;
    if (now < before * 1.25 + 50 || waited > memoryTimeoutMs)
      return `${megabytes(now)} (${(waited / 1_000).toFixed(0)} s)`;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

try {
  printLine(
    '| attack | p50 / p95 before, ms | during | after | memory before, MiB | peak | after (waited) |',
  );
  printLine('|---|---|---|---|---|---|---|');
  let network = 0;
  for (const [name, attack] of Object.entries(attacks)) {
    if (!name.includes(only)) continue;
    network += 1;
    // The gateway may close an idle connection just when it is used again.
    const otherUser = await eventually(() => signUpFrom(`192.0.2.${network}`));
    const address = `198.51.100.${network}`;
    const { token, id } = await signUpFrom(address);
    const attacker: Attacker = { url: target.url, address, token, id };

    const before = await probe(otherUser.client, seconds.before);
    const memory = await target.memory();
    let peak = memory;
    const end = new AbortController();
    // Hundreds of connections listen to the signal.
    setMaxListeners(0, end.signal);
    const watching = setInterval(async () => {
      const now = await target.memory();
      if (now !== undefined) peak = Math.max(peak ?? 0, now);
    }, 200);
    const attacking = attack(attacker, end.signal);
    const during = await probe(otherUser.client, seconds.during);
    end.abort();
    await attacking;
    clearInterval(watching);
    const after = await probe(otherUser.client, seconds.after);
    const memoryAfter = await backToNormal(memory);
    const times = [before, during, after].map(format).join(' | ');
    printLine(`| ${name} | ${times} | ${megabytes(memory)} | ${megabytes(peak)} | ${memoryAfter} |`);
  }
} finally {
  await target.stop();
}
