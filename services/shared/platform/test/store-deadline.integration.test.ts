import { isMongoUnavailable, StoreUnavailableError } from '@wayquest/platform/core';
import { connectMongo, prepareStore } from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  afterTest,
  createTcpProxy,
  eventually,
  longTimeouts,
  startDedicated,
  startSlowStore,
} from '@wayquest/testing';
import mongoose, { type Connection, type Model } from 'mongoose';

interface Thing {
  _id: number;
}

const logger = createLogger({ name: 'test', level: 'silent' });
const impatient = { ...longTimeouts, storeCallMs: 200 };

let store: Awaited<ReturnType<typeof startDedicated>>;
let connection: Connection;
let Things: Model<Thing>;

const connect = async (timeouts: typeof longTimeouts, url = store.address) => {
  connection = await connectMongo({ url, database: 'test_deadline', logger, timeouts });
  const schema = new mongoose.Schema<Thing>({ _id: Number }, { versionKey: false });
  Things = connection.model<Thing>('Thing', schema, 'things');
  // Opens a connection before the store is paused. A busy machine may need longer for that than a call may take.
  await eventually(() => Things.findById(1));
};

/** The store's address for clients with so many connections. */
const withConnections = (address: string, maxPoolSize: number): string => {
  const url = new URL(address);
  url.searchParams.set('maxPoolSize', String(maxPoolSize));
  return url.href;
};

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error) => error,
  );

/** Makes calls that time out until one is rejected without being made. */
async function openCircuit(): Promise<void> {
  await eventually(async () => {
    expect(await errorOf(Things.findById(1))).toMatchObject({
      message: 'the store is unavailable (circuit open)',
    });
  });
}

beforeAll(async () => {
  store = await startDedicated('embedded-store');
  await connect(longTimeouts);
  await Things.create([{ _id: 1 }, { _id: 2 }]);
  await connection.close();
});
afterEach(async () => {
  await store.resume();
  await connection.close();
});

test.each<[string, () => Promise<unknown>]>([
  ['a search', () => Things.find().lean()],
  ['a search for one', () => Things.findById(1)],
  ['an aggregation', () => Things.aggregate([{ $match: {} }])],
  ['a cursor', () => Things.find().cursor().next()],
  ['a write', () => Things.updateOne({ _id: 1 }, { $set: { _id: 1 } })],
  ['a write past mongoose', () => Things.collection.insertMany([{ name: 'new' }])],
  ['a write in bulk', () => Things.bulkWrite([{ insertOne: { document: { _id: 4 } } }])],
])('%s fails as unavailable if the store does not respond in time', async (_, call) => {
  await connect(impatient);
  await store.pause();
  const error = await errorOf(call());
  expect(error).toBeInstanceOf(StoreUnavailableError);
  expect(isMongoUnavailable(error)).toBe(true);
});

test('after several timeouts calls are rejected until the store responds', async () => {
  await connect(impatient);
  await store.pause();
  await openCircuit();
  expect(isMongoUnavailable(await errorOf(Things.find()))).toBe(true);
  await store.resume();
  await eventually(async () => expect(await Things.findById(1).lean()).toEqual({ _id: 1 }));
});

test('a slow store is not taken for an unavailable one: it answers some calls in time, and later all (55.1)', async () => {
  const slowStore = await startSlowStore(store.address);
  afterTest(slowStore.stop);
  await connect({ ...longTimeouts, storeCallMs: 2_000 }, withConnections(slowStore.address, 5));
  slowStore.setRate(5);
  const errors = await Promise.all(Array.from({ length: 200 }, () => errorOf(Things.findById(1))));
  const messages = new Set(errors.map((error) => (error instanceof Error ? error.message : 'answered')));
  expect(messages).toContain('answered');
  expect(messages).toContain('the store is overloaded: too many calls waited');
  expect(messages).not.toContain('the store is unavailable (circuit open)');
  slowStore.setRate();
  expect(await Things.findById(1).lean()).toEqual({ _id: 1 });
});

test('a call that is never answered keeps no turn from the others', async () => {
  const slowStore = await startSlowStore(store.address);
  afterTest(slowStore.stop);
  await connect({ ...longTimeouts, storeCallMs: 1_000 }, withConnections(slowStore.address, 2));
  // Its late answer reduces the calls under way to one.
  slowStore.setRate(3);
  await Things.findById(1);
  slowStore.setRate();
  slowStore.loseNext('things');
  expect(await errorOf(Things.findById(1))).toBeInstanceOf(StoreUnavailableError);
  await eventually(async () => expect(await Things.findById(1).lean()).toEqual({ _id: 1 }), {
    withinMs: 30_000,
  });
});

test('more calls than connections wait for a paused store, and none fails', async () => {
  await connect(longTimeouts);
  await store.pause();
  const calls = Array.from({ length: 250 }, () => Things.countDocuments());
  await store.resume();
  await Promise.all(calls);
});

test('a start-up step longer than the timeout of a call is waited for', async () => {
  await connect(impatient);
  let first: Promise<Thing | null> | undefined;
  const prepared = prepareStore(connection, {
    async prepare() {
      if (first) return;
      await store.pause();
      first = Things.findById(1).lean().exec();
      await first;
    },
  });
  await eventually(() => first !== undefined);
  await openCircuit();
  await store.resume();
  expect(await first).toEqual({ _id: 1 });
  await prepared;
});

test('every client finds the store again after it closed its connections during calls', async () => {
  await connect(longTimeouts);
  const proxy = await createTcpProxy(store.address);
  const timeouts = { ...longTimeouts, storeCallMs: 1_000 };
  const open = () => connectMongo({ url: proxy.address, database: 'test_deadline', logger, timeouts });
  // Several, since the driver's heartbeats fail by chance.
  const connections = await Promise.all(Array.from({ length: 20 }, open));
  afterTest(async () => {
    await Promise.all(connections.map((one) => one.close()));
    await proxy.disconnect();
  });
  const findings = connections.map((one) => () => one.collection<Thing>('things').findOne({ _id: 1 }));
  const failingCalls = findings.flatMap((find) =>
    Array.from({ length: 5 }, async () => {
      while ((await errorOf(find())) === undefined);
    }),
  );
  await Promise.all(findings.map((find) => eventually(find)));
  await proxy.disconnect();
  await Promise.all(failingCalls);
  await proxy.reconnect();
  for (const find of findings) await eventually(find);
});
