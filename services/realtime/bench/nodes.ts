import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import {
  closeTabs,
  connectTestRedis,
  eventually,
  generateKeys,
  openTab,
  signToken,
  type Tab,
} from '@wayquest/testing';
import {
  type BackingKind,
  findBackingService,
  startBackingService,
} from '@wayquest/testing/backing-services';
import { z } from 'zod';

/**
 * What a message and a connection cost a cluster: three nodes, each in its own process, with Redis, and 300 people with
 * one tab each, a third of them on each node. Every message is for two of them, chosen evenly.
 */
const nodeCount = 3;
const people = 300;
const messages = 3_000;
const rounds = 4;
const messagesPerSecond = 500;

const print = (line: string) => process.stdout.write(`${line}\n`);
const log = (line: string) => process.stderr.write(`${line}\n`);
async function startBacking(kind: BackingKind) {
  const service = await startBackingService(kind, await findBackingService(kind), log);
  if (!service) throw new Error(`this machine has no ${kind}`);
  return service;
}

const Figures = z.object({ cpuMs: z.number(), received: z.number() });
const name = `bench-${randomBytes(4).toString('hex')}`;
const keys = generateKeys();
const [store, redisServer] = [await startBacking('embedded-store'), await startBacking('redis')];

async function startNode() {
  const child = fork(new URL('./node.process.ts', import.meta.url), [redisServer.address, name], {
    execArgv: ['--import=tsx', '--conditions=@wayquest/source', '--no-warnings'],
    stdio: ['ignore', process.stderr, process.stderr, 'ipc'],
    env: {
      ...process.env,
      WAYQUEST_TEST_MONGO_URL: store.address,
      WAYQUEST_TEST_PRIVATE_KEY: keys.privateKey,
      WAYQUEST_TEST_PUBLIC_KEY: keys.publicKey,
    },
  });
  child.once('exit', (code) => {
    if (code) throw new Error(`a node ended with ${code}`);
  });
  const { url } = z.object({ url: z.string() }).parse((await once(child, 'message'))[0]);
  const order = async (what: object) => {
    const reply = once(child, 'message');
    child.send(what);
    return Figures.parse((await reply)[0]);
  };
  return { url, order, stop: () => child.kill() };
}

const nodes: Awaited<ReturnType<typeof startNode>>[] = [];
for (let n = 0; n < nodeCount; n++) nodes.push(await startNode());
const redis = await connectTestRedis(redisServer.address);

/** How often Redis has executed a command, and how many bytes it has received and sent. */
async function redisFigures() {
  const info = `${await redis.info('commandstats')}\n${await redis.info('stats')}`;
  const number = (pattern: RegExp) => Number(pattern.exec(info)?.[1] ?? 0);
  return {
    published: number(/cmdstat_spublish:calls=(\d+)/),
    commands: number(/total_commands_processed:(\d+)/),
    bytes: number(/total_net_input_bytes:(\d+)/) + number(/total_net_output_bytes:(\d+)/),
  };
}

async function figures() {
  const all = await Promise.all(nodes.map(({ order }) => order({ what: 'figures' })));
  return {
    cpuMs: all.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    received: all.map(({ received }) => received),
    ...(await redisFigures()),
  };
}

/** How many channels have how many subscribers. */
async function subscribers(): Promise<string> {
  const channels = z.array(z.string()).parse(await redis.pubsub('SHARDCHANNELS', `${name}*`));
  const reply = z.array(z.unknown()).parse(await redis.pubsub('SHARDNUMSUB', ...channels));
  const counts = new Map<number, number>();
  for (let n = 1; n < reply.length; n += 2)
    counts.set(Number(reply[n]), (counts.get(Number(reply[n])) ?? 0) + 1);
  return [...counts].map(([count, channels]) => `${channels} with ${count}`).join(', ');
}

async function open(): Promise<Tab[]> {
  const tabs: Tab[] = [];
  const pending = Array.from({ length: people }, (_, n) => n).values();
  const lane = async () => {
    for (const n of pending) {
      const token = signToken({ sub: String(n + 1), username: `person-${n + 1}` }, keys.privateKey);
      tabs.push(await openTab(nodes[n % nodeCount]?.url ?? '', token));
    }
  };
  await Promise.all(Array.from({ length: 20 }, lane));
  // Includes the work after a connection.
  await pause(1_000);
  return tabs;
}

let lastId = 0;

/** Has the nodes send messages in turn; returns milliseconds until each was shown. */
async function send(tabs: Tab[]): Promise<number[]> {
  const times: number[] = [];
  for (const { socket, received } of tabs) {
    socket.on('getMessage', ({ createdAt }) => {
      received.getMessage.length = 0;
      times.push(Date.now() - Date.parse(createdAt));
    });
  }
  const batch = messagesPerSecond / 10;
  for (let sent = 0; sent < messages; sent += batch) {
    const began = performance.now();
    const ordered = Array.from({ length: batch }, () => {
      lastId += 1;
      // Pairs of all distances, so that two people are on the same node in a third of cases.
      const from = 1 + ((lastId * 7) % people);
      return { id: lastId, from, to: 1 + ((from + (lastId % (people - 1))) % people) };
    });
    await Promise.all(
      nodes.map(({ order }, n) =>
        order({ what: 'send', messages: ordered.filter((_, index) => index % nodeCount === n) }),
      ),
    );
    await pause(Math.max(0, began + 100 - performance.now()));
  }
  await eventually(() => times.length === 2 * messages);
  return times.toSorted((one, other) => one - other);
}

async function round() {
  const before = await figures();
  const tabs = await open();
  const connected = await figures();
  const channels = await subscribers();
  const times = await send(tabs);
  const sent = await figures();
  closeTabs();
  // Until everybody counts as offline.
  await pause(4_000);
  const perMessage = (key: 'cpuMs' | 'published' | 'commands' | 'bytes') =>
    (sent[key] - connected[key]) / messages;
  return {
    channels,
    received: sent.received.map((count, n) => count - (connected.received[n] ?? 0)),
    figures: {
      'ms of CPU of a message, all nodes': perMessage('cpuMs'),
      'publications of a message': perMessage('published'),
      'commands of a message': perMessage('commands'),
      'bytes of a message through Redis': perMessage('bytes'),
      'ms until a message is shown, p50': times[Math.floor(times.length / 2)] ?? Number.NaN,
      '… p99': times[Math.floor(times.length * 0.99)] ?? Number.NaN,
      'ms of CPU of a connection': (connected.cpuMs - before.cpuMs) / people,
      'commands of a connection': (connected.commands - before.commands) / people,
    },
  };
}

// The first one only warms up.
await round();
const results: Awaited<ReturnType<typeof round>>[] = [];
for (let n = 0; n < rounds; n++) results.push(await round());

const [last] = results;
print(
  `${nodeCount} nodes, ${people} people, ${messages} messages for two each; the lowest of ${rounds} rounds`,
);
// Not the medians: other load of the machine only adds.
for (const label of Object.keys(last?.figures ?? {})) {
  const values = results.map(({ figures }) => new Map(Object.entries(figures)).get(label) ?? Number.NaN);
  print(`${label.padEnd(40)}${Math.min(...values).toFixed(2)}`);
}
print(`messages of other nodes that each received: ${last?.received.join(', ')}`);
print(`channels with subscribers: ${last?.channels}`);

for (const { stop } of nodes) stop();
redis.disconnect();
await redisServer.stop();
await store.stop();
process.exit(0);
