import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, socketClientOptions } from '@wayquest/contracts';
import jwt from 'jsonwebtoken';
import { io, type Socket } from 'socket.io-client';
import { z } from 'zod';
import { median, printLine, settings, startStore } from './measure.ts';
import { startSideProcess } from './side.ts';

/** Number of concurrent writers, duration of a round in milliseconds, and number of rounds, in which both programs alternate. */
const writers = 32;
const roundMs = 3_000;
const rounds = 3;
/** Number of conversations in the list. */
const conversationCount = 200;
/** Tabs of each of the others, messages per second, and duration. */
const tabsEach = settings.TABS;
const messagesPerSecond = 50;
const broadcastMs = 6_000;

type Send = (writer: number) => Promise<void>;

/** One of the two programs, filled with data. */
interface Side {
  name: string;
  sendToOne: Send;
  sendToMany: Send;
  list: () => Promise<number>;
  /** Sends a message to a conversation. */
  send: (index: number, text: string) => Promise<void>;
  /** Tokens for one tab of the list's owner, and for the tabs of the others. */
  tokens: string[];
  url: string;
  usage: Awaited<ReturnType<typeof startSideProcess>>['usage'];
}

async function post(url: string, token: string, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} responded ${response.status}: ${await response.text()}`);
  return response.json();
}

async function get(url: string, token: string): Promise<number> {
  const response = await fetch(url, { headers: { authorization: token } });
  return z.array(z.unknown()).parse(await response.json()).length;
}

const store = await startStore();
const database = `load_peer_${randomBytes(4).toString('hex')}`;
const secret = randomBytes(16).toString('hex');

async function fillWayquest(url: string) {
  const signUp = async () => {
    const username = `p${randomBytes(5).toString('hex')}`;
    const password = randomBytes(9).toString('hex');
    const { token } = await createClient({ baseUrl: url }).signup({ body: { username, password } });
    const client = createClient({ baseUrl: url, token: () => token });
    return { id: (await client.getMe()).id, token, client };
  };
  const befriend = async (user: Awaited<ReturnType<typeof signUp>>) => {
    const other = await signUp();
    const request = await other.client.requestFriend({ body: { friendId: user.id } });
    await user.client.acceptFriend({ params: { id: request.id } });
    return { other, ...(await user.client.openConversation({ body: { friend: { id: other.id } } })) };
  };
  const ann = await signUp();
  const pairs = [];
  for (let n = 0; n < conversationCount; n++) pairs.push(await befriend(ann));
  const conversations = pairs.map(({ id, other }) => ({ id, token: other.token }));
  return { token: ann.token, userId: ann.id, conversations };
}

async function fillPeer(url: string) {
  const token = (id: number) => jwt.sign({ sub: String(id) }, secret);
  const conversations = [];
  for (let n = 0; n < conversationCount; n++) {
    const created = await post(`${url}/api/conversations`, token(1), { friend: { id: n + 2 } });
    const { _id: id } = z.object({ _id: z.string() }).parse(created);
    conversations.push({ id, token: token(n + 2) });
  }
  return { token: token(1), userId: 1, conversations };
}

async function startSide(name: 'wayquest' | 'peer') {
  const { url, usage, stop } = await startSideProcess([name, store.address, database, secret]);
  const { token, userId, conversations } = await (name === 'wayquest' ? fillWayquest(url) : fillPeer(url));
  const sendTo = async (index: number, text = 'How far is it?') => {
    const to = conversations[index];
    if (!to) throw new Error('there is no such conversation');
    await post(`${url}/api/messages`, to.token, { text, conversationId: to.id });
  };
  for (let n = 0; n < conversationCount; n++) await sendTo(n);
  const side: Side = {
    name,
    sendToOne: () => sendTo(0),
    sendToMany: (writer) => sendTo(writer + 1),
    list: () => get(`${url}/api/conversations/${userId}`, token),
    send: sendTo,
    tokens: [token, ...conversations.flatMap((one) => Array.from({ length: tabsEach }, () => one.token))],
    ...{ url, usage },
  };
  return { side, stop };
}

async function measureSending({ usage }: Side, send: Send) {
  const before = await usage();
  const start = performance.now();
  let sent = 0;
  const write = async (writer: number) => {
    while (performance.now() - start < roundMs) {
      await send(writer);
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  const seconds = (performance.now() - start) / 1_000;
  return { perSecond: sent / seconds, cpuEach: ((await usage()).cpuMs - before.cpuMs) / sent };
}

async function measureList({ usage, list }: Side) {
  const times: number[] = [];
  const before = await usage();
  for (let n = 0; n < 20; n++) {
    const start = performance.now();
    if ((await list()) !== conversationCount) throw new Error('the list is incomplete');
    times.push(performance.now() - start);
  }
  return { ms: median(times), cpuEach: ((await usage()).cpuMs - before.cpuMs) / times.length };
}

const openTab = (url: string, token: string): Promise<Socket> => {
  const socket = io(url, {
    ...socketClientOptions,
    transports: ['websocket'],
    auth: { token },
    forceNew: true,
  });
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket));
    socket.once('connect_error', reject);
  });
};

const ReceivedMessage = z.object({ text: z.string() });

/** Opens all tabs, sends some messages to them, and closes them. */
async function measureSockets({ url, usage, tokens, send }: Side) {
  const before = await usage();
  const sockets: Socket[] = [];
  const pending = tokens.values();
  const open = async () => {
    for (const token of pending) sockets.push(await openTab(url, token));
  };
  await Promise.all(Array.from({ length: 20 }, open));
  // Includes the work after a connection.
  await pause(1_000);
  const connected = await usage();

  const sentAt = new Map<string, number>();
  const times: number[] = [];
  const missing = new Map<string, number>();
  for (const socket of sockets) {
    socket.on('getMessage', (data: unknown) => {
      const { text } = ReceivedMessage.parse(data);
      times.push(performance.now() - (sentAt.get(text) ?? Number.NaN));
      missing.set(text, (missing.get(text) ?? 0) - 1);
    });
  }
  const sends: Promise<void>[] = [];
  const count = (broadcastMs / 1_000) * messagesPerSecond;
  const begin = performance.now();
  for (let n = 0; n < count; n++) {
    const text = randomBytes(6).toString('hex');
    sentAt.set(text, performance.now());
    missing.set(text, 1 + tabsEach);
    sends.push(send(n % conversationCount, text));
    const wait = begin + ((n + 1) * 1_000) / messagesPerSecond - performance.now();
    if (wait > 0) await pause(wait);
  }
  await Promise.all(sends);
  await pause(1_000);
  const delivered = await usage();
  for (const socket of sockets) socket.disconnect();
  await pause(1_000);
  const sorted = times.toSorted((one, other) => one - other);
  const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return {
    acceptCpu: (connected.cpuMs - before.cpuMs) / sockets.length,
    heap: (connected.heapKiB - before.heapKiB) / sockets.length,
    rss: (connected.rssKiB - before.rssKiB) / sockets.length,
    cpuEach: (delivered.cpuMs - connected.cpuMs) / count,
    p50: quantile(0.5),
    p99: quantile(0.99),
    lost: [...missing.values()].filter((count) => count > 0).length,
  };
}

const sides = [await startSide('wayquest'), await startSide('peer')];
const figures = sides.map(({ side }) => ({ side, one: [], many: [], list: [], sockets: [] }) as Measured);

interface Measured {
  side: Side;
  one: Awaited<ReturnType<typeof measureSending>>[];
  many: Awaited<ReturnType<typeof measureSending>>[];
  list: Awaited<ReturnType<typeof measureList>>[];
  sockets: Awaited<ReturnType<typeof measureSockets>>[];
}

for (let round = 0; round < rounds; round++) {
  for (const { side, one, many, list, sockets } of figures) {
    one.push(await measureSending(side, side.sendToOne));
    many.push(await measureSending(side, side.sendToMany));
    list.push(await measureList(side));
    sockets.push(await measureSockets(side));
  }
}

const row = (...cells: (string | number)[]) =>
  printLine(cells.map((cell, i) => (i ? String(cell).padStart(14) : String(cell).padEnd(44))).join(''));
printLine(`\nmedians of ${rounds} rounds, the two in turn; ${writers} writers`);
row('', ...figures.map(({ side }) => side.name));
const printRow = (label: string, value: (measured: Measured) => number[], digits: number) =>
  row(label, ...figures.map((measured) => median(value(measured)).toFixed(digits)));
printRow('messages a second in one conversation', ({ one }) => one.map(({ perSecond }) => perSecond), 0);
printRow('… ms of CPU each', ({ one }) => one.map(({ cpuEach }) => cpuEach), 2);
printRow('messages a second in many conversations', ({ many }) => many.map(({ perSecond }) => perSecond), 0);
printRow('… ms of CPU each', ({ many }) => many.map(({ cpuEach }) => cpuEach), 2);
printRow(`ms for a list of ${conversationCount} conversations`, ({ list }) => list.map(({ ms }) => ms), 1);
printRow('… ms of CPU each', ({ list }) => list.map(({ cpuEach }) => cpuEach), 2);
printRow(
  'ms of CPU of a message delivered to sockets',
  ({ sockets }) => sockets.map((one) => one.cpuEach),
  2,
);
printRow('… ms until delivery, p50', ({ sockets }) => sockets.map(({ p50 }) => p50), 1);
printRow('… p99', ({ sockets }) => sockets.map(({ p99 }) => p99), 1);
printRow('ms of CPU to accept a socket', ({ sockets }) => sockets.map(({ acceptCpu }) => acceptCpu), 2);
printRow('KiB of heap of a socket', ({ sockets }) => sockets.map(({ heap }) => heap), 1);
printRow('… RSS', ({ sockets }) => sockets.map(({ rss }) => rss), 1);

const [ours, theirs] = figures.map(({ one, many, list, sockets }) => ({
  one: median(one.map(({ perSecond }) => perSecond)),
  'many cpu': median(many.map(({ cpuEach }) => cpuEach)),
  list: median(list.map(({ ms }) => ms)),
  'socket cpu': median(sockets.map((one) => one.cpuEach)),
  p50: median(sockets.map(({ p50 }) => p50)),
  p99: median(sockets.map(({ p99 }) => p99)),
  lost: Math.max(...sockets.map(({ lost }) => lost)),
  'accept cpu': median(sockets.map(({ acceptCpu }) => acceptCpu)),
  // Of the first round: later ones use memory that was allocated before.
  heap: sockets[0]?.heap ?? Number.NaN,
  rss: sockets[0]?.rss ?? Number.NaN,
}));
if (ours && theirs) {
  const ratios = Object.entries(ours).flatMap(([name, value]) => {
    const peer = Object.entries(theirs).find(([other]) => other === name)?.[1] ?? Number.NaN;
    return [
      [name, value / peer],
      [`${name} ours`, value],
      [`${name} peer`, peer],
    ];
  });
  // If neither lost a message there is no ratio.
  process.send?.({ figures: Object.fromEntries(ratios.filter(([, value]) => Number.isFinite(value))) });
}

for (const { stop } of sides) stop();
await store.stop();
process.exit(0);
