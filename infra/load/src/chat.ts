import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createClient } from '@wayquest/contracts';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { say } from './settings.ts';
import { startStore } from './store.ts';

/** How many write at once, for how long in each round, and how many rounds, the two in turn. */
const writers = 32;
const roundMs = 4_000;
const rounds = 3;
/** How many conversations the one has whose list is asked for. */
const listed = 200;

type Send = (writer: number) => Promise<void>;

/** One of the two, filled: everything a writer needs is there. */
interface Side {
  name: string;
  inOne: Send;
  inMany: Send;
  list: () => Promise<number>;
  cpuMs: () => Promise<number>;
}

async function post(url: string, token: string, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

async function get(url: string, token: string): Promise<number> {
  const response = await fetch(url, { headers: { authorization: token } });
  return z.array(z.unknown()).parse(await response.json()).length;
}

const store = await startStore();
const database = `load_peer_${randomBytes(4).toString('hex')}`;
const secret = randomBytes(16).toString('hex');

async function startProcess(which: 'wayquest' | 'peer') {
  const child = fork(
    new URL('./chat.process.ts', import.meta.url),
    [which, store.address, database, secret],
    {
      execArgv: ['--import=tsx', '--conditions=@wayquest/source', '--no-warnings'],
    },
  );
  const heard = async <S extends z.ZodType>(shape: S) => shape.parse((await once(child, 'message'))[0]);
  const { url } = await heard(z.object({ url: z.string() }));
  return {
    url,
    stop: () => child.kill(),
    async cpuMs() {
      const answer = heard(z.object({ cpuMs: z.number() }));
      child.send('cpu');
      return (await answer).cpuMs;
    },
  };
}

async function fillWayquest(url: string) {
  const signUp = async () => {
    const username = `p${randomBytes(5).toString('hex')}`;
    const password = randomBytes(9).toString('hex');
    const { token } = await createClient({ baseUrl: url }).signup({ body: { username, password } });
    const client = createClient({ baseUrl: url, token: () => token });
    return { id: (await client.getMe()).id, token, client };
  };
  const meet = async (one: Awaited<ReturnType<typeof signUp>>) => {
    const other = await signUp();
    const request = await other.client.requestFriend({ body: { friendId: one.id } });
    await one.client.acceptFriend({ params: { id: request.id } });
    return { other, ...(await one.client.openConversation({ body: { friend: { id: other.id } } })) };
  };
  const ann = await signUp();
  const pairs = [];
  for (let n = 0; n < listed; n++) pairs.push(await meet(ann));
  const conversations = pairs.map(({ id, other }) => ({ id, token: other.token }));
  return { token: ann.token, userId: ann.id, conversations };
}

async function fillPeer(url: string) {
  const token = (id: number) => jwt.sign({ sub: String(id) }, secret);
  const conversations = [];
  for (let n = 0; n < listed; n++) {
    const made = await post(`${url}/api/conversations`, token(1), { friend: { id: n + 2 } });
    const { _id: id } = z.object({ _id: z.string() }).parse(made);
    conversations.push({ id, token: token(n + 2) });
  }
  return { token: token(1), userId: 1, conversations };
}

async function startSide(name: 'wayquest' | 'peer') {
  const { url, cpuMs, stop } = await startProcess(name);
  const { token, userId, conversations } = await (name === 'wayquest' ? fillWayquest(url) : fillPeer(url));
  const sendTo = async (index: number) => {
    const to = conversations[index];
    if (!to) throw new Error('there is no such conversation');
    await post(`${url}/api/messages`, to.token, { text: 'How far is it?', conversationId: to.id });
  };
  for (let n = 0; n < listed; n++) await sendTo(n);
  const side: Side = {
    name,
    inOne: () => sendTo(0),
    inMany: (writer) => sendTo(writer + 1),
    list: () => get(`${url}/api/conversations/${userId}`, token),
    cpuMs,
  };
  return { side, stop };
}

async function sending({ cpuMs }: Side, send: Send) {
  const before = await cpuMs();
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
  return { perSecond: sent / seconds, cpuEach: ((await cpuMs()) - before) / sent };
}

async function listing({ cpuMs, list }: Side) {
  const times: number[] = [];
  const before = await cpuMs();
  for (let n = 0; n < 20; n++) {
    const start = performance.now();
    if ((await list()) !== listed) throw new Error('not all are listed');
    times.push(performance.now() - start);
  }
  return { ms: median(times), cpuEach: ((await cpuMs()) - before) / times.length };
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const sides = [await startSide('wayquest'), await startSide('peer')];
const figures = sides.map(({ side }) => ({ side, one: [], many: [], list: [] }) as Measured);

interface Measured {
  side: Side;
  one: Awaited<ReturnType<typeof sending>>[];
  many: Awaited<ReturnType<typeof sending>>[];
  list: Awaited<ReturnType<typeof listing>>[];
}

for (let round = 0; round < rounds; round++) {
  for (const { side, one, many, list } of figures) {
    one.push(await sending(side, side.inOne));
    many.push(await sending(side, side.inMany));
    list.push(await listing(side));
  }
}

const row = (...cells: (string | number)[]) =>
  say(cells.map((cell, i) => (i ? String(cell).padStart(14) : String(cell).padEnd(44))).join(''));
say(`\nmedians of ${rounds} rounds, the two in turn; ${writers} writers`);
row('', ...figures.map(({ side }) => side.name));
const told = (what: string, value: (measured: Measured) => number[], digits: number) =>
  row(what, ...figures.map((measured) => median(value(measured)).toFixed(digits)));
told('messages a second in one conversation', ({ one }) => one.map(({ perSecond }) => perSecond), 0);
told('… ms of CPU each', ({ one }) => one.map(({ cpuEach }) => cpuEach), 2);
told('messages a second in many conversations', ({ many }) => many.map(({ perSecond }) => perSecond), 0);
told('… ms of CPU each', ({ many }) => many.map(({ cpuEach }) => cpuEach), 2);
told(`ms for a list of ${listed} conversations`, ({ list }) => list.map(({ ms }) => ms), 1);
told('… ms of CPU each', ({ list }) => list.map(({ cpuEach }) => cpuEach), 2);

for (const { stop } of sides) stop();
await store.stop();
process.exit(0);
