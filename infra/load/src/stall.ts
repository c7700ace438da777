import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '@wayquest/contracts';
import { freePort, startSlowStore } from '@wayquest/testing';
import {
  type BackingService,
  findBackingService,
  startBackingService,
} from '@wayquest/testing/backing-services';
import { eventually } from '@wayquest/testing/eventually';
import { printLine } from './measure.ts';

/** The guaranteed limits. */
const maxCallMs = 2_500;
const recoveryMs = 1_000;

const requestIntervalMs = 20;
const warmUpMs = 1_000;
const observationMs = 6_000;
const shortStallMs = 1_500;

const root = resolve(import.meta.dirname, '../../..');

/** Blocks the event loop when the process receives SIGUSR2. */
const blockOnSignal = `data:text/javascript,process.on('SIGUSR2', () => {
  const end = Date.now() + ${shortStallMs};
  while (Date.now() < end);
})`;

const unlimitedSettings = Object.fromEntries(
  [
    'RATE_LIMIT_PER_IP',
    'RATE_LIMIT_PER_TOKEN',
    'RATE_LIMIT_PER_ACCOUNT',
    'RATE_LIMIT_LOGIN_PER_IP',
    'MAX_CONCURRENT_REQUESTS_PER_IP',
    'MAX_CONCURRENT_REQUESTS_PER_TOKEN',
    'CHALLENGES_PER_MINUTE',
    'CHALLENGES_PER_DAY',
  ].map((name) => [name, '1000000']),
);

interface AllInOne {
  url: string;
  program: ChildProcess;
  stop(): Promise<void>;
}

/** Starts the all-in-one process on a store and a Redis that can be stopped separately. */
async function startAllInOne(env: NodeJS.ProcessEnv): Promise<AllInOne> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'wayquest-stall-'));
  const main = join(root, 'infra/local/dist/bundle.mjs');
  const program = spawn(process.execPath, ['--import', blockOnSignal, main], {
    env: {
      PATH: process.env.PATH,
      ...unlimitedSettings,
      LOG_LEVEL: 'fatal',
      DATA_DIR: folder,
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => (await fetch(`${url}/api/leaderboard`)).ok, { withinMs: 120_000 });
  return {
    url,
    program,
    async stop() {
      if (program.exitCode === null && program.signalCode === null) {
        program.kill();
        await once(program, 'exit');
      }
      await rm(folder, { recursive: true });
    },
  };
}

interface CallResult {
  call: string;
  startedAt: number;
  ms: number;
  status: number;
}

interface Call {
  name: string;
  send(): Promise<Response>;
}

async function measureCall({ name, send }: Call): Promise<CallResult> {
  const startedAt = performance.now();
  let status = 0;
  try {
    const response = await send();
    await response.text();
    ({ status } = response);
  } catch {
    // No response is status 0.
  }
  return { call: name, startedAt, ms: performance.now() - startedAt, status };
}

/** Number of accounts; enough that none exceeds its limit of concurrent logins. */
const accounts = 20;
/** One in this number of calls is a login: hashing passwords keeps the machine busy. */
const callsPerLogin = 24;

/** Typical calls, in turn: each reads or writes the store. */
async function callsOf(url: string): Promise<Call[]> {
  const visitor = createClient({ baseUrl: url });
  const password = 'correct horse battery staple';
  const usernames = Array.from({ length: accounts }, (_, n) => `walker-${n}-${Date.now()}`);
  // One after the other: twenty at once, right after a start, would measure how fast connections to the store are opened.
  let token = '';
  for (const username of usernames) ({ token } = await visitor.signup({ body: { username, password } }));
  const client = createClient({ baseUrl: url, token: () => token });
  const { id } = await eventually(() => client.getMe(), { withinMs: 10_000 });
  const headers = { authorization: token, 'content-type': 'application/json' };
  const challenge = JSON.stringify({ name: 'Walk', difficulty: 'Easy' });
  const post = (path: string, content: string) =>
    fetch(`${url}${path}`, { method: 'POST', headers, body: content });
  let logins = 0;
  const login = () =>
    post('/auth/login', JSON.stringify({ username: usernames[logins++ % accounts], password }));
  const reads: Call[] = [
    { name: 'profile', send: () => fetch(`${url}/api/users/${id}`) },
    { name: 'own profile', send: () => fetch(`${url}/auth/me`, { headers }) },
    { name: 'challenges', send: () => fetch(`${url}/api/challenges/?limit=20`) },
    { name: 'own challenges', send: () => fetch(`${url}/api/challengeLine/`, { headers }) },
    { name: 'new challenge', send: () => post('/api/challenges/', challenge) },
    { name: 'notifications', send: () => fetch(`${url}/api/notifications/`, { headers }) },
  ];
  const many = Array.from({ length: callsPerLogin / reads.length }, () => reads);
  return [...many.flat(), { name: 'login', send: login }];
}

const isServed = ({ status }: CallResult) => status >= 200 && status < 300;

/** Makes 50 calls a second. Returns a function that ends this, and returns the results. */
function startLoad(calls: Call[]): () => Promise<CallResult[]> {
  const results: Promise<CallResult>[] = [];
  let callIndex = 0;
  const load = setInterval(() => {
    const call = calls[callIndex++ % calls.length];
    if (call) results.push(measureCall(call));
  }, requestIntervalMs);
  return () => {
    clearInterval(load);
    return Promise.all(results);
  };
}

interface Stall {
  name: string;
  ms: number;
  /** Whether every call has to succeed. */
  mustNotFail: boolean;
  /** Whether calls may take longer than promised for an unresponsive store. */
  maySlowCalls?: true;
  begin(): unknown;
  end(): unknown;
}

/** Makes 50 calls a second during a stall, and prints the results. Returns whether the limits were met. */
async function measure(
  url: string,
  { name, ms, mustNotFail, maySlowCalls, begin, end }: Stall,
): Promise<boolean> {
  const calls = await callsOf(url);
  const endLoad = startLoad(calls);
  await sleep(warmUpMs);
  await begin();
  const startedAt = performance.now();
  await sleep(ms);
  await end();
  const endedAt = performance.now();
  await sleep(observationMs);
  const all = await endLoad();
  const failed = all.filter((one) => !isServed(one));
  const statuses = new Map<number, number>();
  for (const { status } of failed) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const slowest = all.reduce((one, other) => (one.ms > other.ms ? one : other));
  const recovery = Math.max(0, ...failed.map(({ startedAt }) => startedAt - endedAt));
  const failures = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ') || 'none';
  const isWithinLimits =
    (maySlowCalls || slowest.ms <= maxCallMs) &&
    recovery <= recoveryMs &&
    failed.every(({ status }) => status === 503 || status === 504) &&
    (!mustNotFail || !failed.length);
  printLine(
    `${name}: ${all.length} calls, longest ${Math.round(slowest.ms)} ms (${slowest.call}, ${slowest.status}, ` +
      `started at ${Math.round(slowest.startedAt - startedAt)} ms), failed: ${failures}, ` +
      `recovered after ${Math.round(recovery)} ms${isWithinLimits ? '' : ': LIMIT EXCEEDED'}`,
  );
  return isWithinLimits;
}

const slowMs = 30_000;
/** The store is slowed to this share of the load. */
const slowShare = 0.1;
/** What a slow store serves, at least, of what it could serve. */
const minServedShare = 0.8;

async function makeCalls(calls: Call[], ms: number): Promise<CallResult[]> {
  const endLoad = startLoad(calls);
  await sleep(ms);
  return endLoad();
}

/**
 * Slows the store down to a tenth of the commands that 50 calls a second need, and prints how many of the calls that it could
 * serve were served. Returns whether the limits were met.
 */
async function slowDown(store: BackingService, env: NodeJS.ProcessEnv): Promise<boolean> {
  const slowStore = await startSlowStore(store.address);
  const { url, stop } = await startAllInOne({ ...env, MONGO_URL: slowStore.address });
  const calls = await callsOf(url);
  await makeCalls(calls, warmUpMs);
  const before = slowStore.commands();
  const healthy = await makeCalls(calls, observationMs);
  const commandsPerCall = (slowStore.commands() - before) / healthy.length;
  const rate = (1_000 / requestIntervalMs) * commandsPerCall * slowShare;
  slowStore.setRate(rate);
  const slow = await makeCalls(calls, slowMs);
  slowStore.setRate();
  await sleep(recoveryMs);
  const recovered = await makeCalls(calls, observationMs);
  await stop();
  slowStore.stop();

  const served = slow.filter(isServed).length;
  const possible = slow.length * slowShare;
  const longest = Math.max(...slow.map(({ ms }) => ms));
  const otherFailures = slow.filter((one) => !isServed(one) && one.status !== 503).length;
  const failedLater = recovered.filter((one) => !isServed(one)).length;
  const isWithinLimits =
    served >= minServedShare * possible && longest <= maxCallMs && !otherFailures && !failedLater;
  printLine(
    `store slowed to ${rate.toFixed(0)} commands a second for ${slowMs / 1_000} s (a call needs ${commandsPerCall.toFixed(1)}): ` +
      `served ${served} of ${slow.length} calls, ${Math.round((100 * served) / possible)} % of the ${Math.round(possible)} ` +
      `possible, longest ${Math.round(longest)} ms, failed other than 503: ${otherFailures}, failed afterwards: ` +
      `${failedLater}${isWithinLimits ? '' : ': LIMIT EXCEEDED'}`,
  );
  return isWithinLimits;
}

/** Stops the store while the first start creates the demo data. */
async function stallFirstStart(store: BackingService): Promise<boolean> {
  const { url, program, stop } = await startAllInOne({ MONGO_URL: store.address, DEMO: '1' });
  const visitor: Client = createClient({ baseUrl: url });
  await eventually(async () => (await visitor.listUsers()).length > 1, { withinMs: 60_000, everyMs: 5 });
  await store.pause?.();
  await sleep(shortStallMs);
  await store.resume?.();
  const outcome = await eventually(
    async () => {
      if (program.exitCode !== null) return 'the process ended';
      const challenges = await visitor.listChallenges();
      if (challenges.length < 12) throw new Error(`only ${challenges.length} challenges`);
      return `${challenges.length} challenges`;
    },
    { withinMs: 60_000 },
  ).catch(String);
  await stop();
  const isWithinLimits = outcome === '12 challenges';
  printLine(
    `store stopped for 1.5 s in a first start: ${outcome}${isWithinLimits ? '' : ': LIMIT EXCEEDED'}`,
  );
  return isWithinLimits;
}

const areWithinLimits: boolean[] = [];
const redis = await startBackingService(
  'redis',
  await findBackingService('redis', { mayInstall: false }),
  printLine,
);
for (const kind of ['embedded-store', 'mongodb'] as const) {
  const store = await startBackingService(
    kind,
    await findBackingService(kind, { mayInstall: false }),
    printLine,
  );
  if (!store?.pause) {
    printLine(`${kind}: not available`);
    continue;
  }
  printLine(`store: ${kind}; ${redis ? 'with' : 'without'} Redis`);
  if (kind === 'embedded-store') areWithinLimits.push(await stallFirstStart(store));
  const env = { REDIS_URL: redis?.address, DEMO: '0' };
  areWithinLimits.push(await slowDown(store, env));
  const { url, program, stop } = await startAllInOne({ ...env, MONGO_URL: store.address });
  const faultOf = ({ pause, resume }: BackingService) => ({ begin: () => pause?.(), end: () => resume?.() });
  const shortStall = { ms: shortStallMs, mustNotFail: true };
  const stalls: Stall[] = [
    { name: 'store stopped for 1.5 s', ...shortStall, ...faultOf(store) },
    { name: 'store stopped for 3 s', ms: 3_000, mustNotFail: false, ...faultOf(store) },
    { name: 'store stopped for 12 s', ms: 12_000, mustNotFail: false, ...faultOf(store) },
    {
      name: 'process computes for 1.5 s',
      ...shortStall,
      maySlowCalls: true,
      begin: () => program.kill('SIGUSR2'),
      end: () => {},
    },
  ];
  if (redis) {
    stalls.push({ name: 'Redis stopped for 1.5 s', ...shortStall, ...faultOf(redis) });
    stalls.push({ name: 'Redis stopped for 3 s', ms: 3_000, mustNotFail: true, ...faultOf(redis) });
  }
  for (const stall of stalls) areWithinLimits.push(await measure(url, stall));
  await stop();
  await store.stop();
}
await redis?.stop();
printLine(`load of this machine in the last five minutes: ${loadavg()[1]?.toFixed(1)}`);
process.exitCode = areWithinLimits.includes(false) ? 1 : 0;
