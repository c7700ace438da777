import type { Event } from '@wayquest/contracts';
import {
  addOutbox,
  connectMongo,
  createLogger,
  createOutbox,
  type EventBus,
  newEvent,
  outboxOf,
  prepareCollections,
  type WithOutbox,
  withEvents,
} from '@wayquest/platform';
import { dropDatabases, eventually, storeUrl } from '@wayquest/testing';
import { type Connection, type Model, Schema } from 'mongoose';

interface Thing extends WithOutbox {
  _id: number;
  name?: string | null;
}

const logger = createLogger({ name: 'test', level: 'silent' });
const database = `test_outbox_${process.pid}_${Date.now()}`;
const joined = (lineId: number) => newEvent('challenge.joined.v1', { lineId, challengeId: 1, userId: 1 });

let connection: Connection;
let Things: Model<Thing>;

beforeAll(async () => {
  connection = await connectMongo({ url: storeUrl(), database, logger });
  const schema = new Schema<Thing>({ _id: Number, name: String });
  addOutbox(schema);
  Things = connection.model<Thing>('Thing', schema, 'things');
  await prepareCollections(connection);
});
beforeEach(async () => {
  await Things.deleteMany({});
});
afterAll(async () => {
  await connection.close();
  await dropDatabases(storeUrl(), [database]);
});

/** A bus that remembers what it was given, unless it is away. */
function recordingBus(publish: (event: Event) => Promise<void> = async () => {}) {
  const published: Event[] = [];
  const bus: EventBus = {
    async publish(event) {
      await publish(event);
      published.push(event);
    },
    subscribe: async () => ({ close: async () => {} }),
    ready: () => true,
    idle: async () => true,
    close: async () => {},
  };
  return { bus, published, lines: () => published.map(({ data }) => ('lineId' in data ? data.lineId : 0)) };
}

// The outbox sees of a model only what every document with an outbox has, as the platform gives it to it.
const outboxOn = (bus: EventBus) =>
  createOutbox({ bus, logger }, () => [Things as unknown as Model<WithOutbox>]);

/** Ends every lease, as time would. */
const makeDue = () => Things.updateMany({ outboxDueAt: { $type: 'date' } }, { outboxDueAt: new Date(0) });

test('publishes what was written, then forgets it', async () => {
  const { bus, lines } = recordingBus();
  const outbox = outboxOn(bus);
  const events = [joined(1), joined(2)];
  await Things.create({ _id: 1, ...outboxOf(events) });
  expect(await outbox.empty()).toBe(false);
  outbox.send(Things, 1, events);
  await eventually(() => outbox.empty());
  expect(lines()).toEqual([1, 2]);
  expect(await Things.findById(1).lean()).toMatchObject({ _id: 1, outbox: [] });
  await outbox.stop();
});

test('an instance that dies between write and publish leaves its events to another one’s sweep', async () => {
  await Things.create({ _id: 1, ...outboxOf([joined(1)]) });
  const { bus, published } = recordingBus();
  const other = outboxOn(bus);
  other.start();
  // Held for the writer: the sweep at the start has not touched it.
  await eventually(async () =>
    expect(await Things.countDocuments({ outboxDueAt: { $gt: new Date() } })).toBe(1),
  );
  expect(published).toEqual([]);
  await makeDue();
  await eventually(() => other.empty());
  expect(published).toHaveLength(1);
  await other.stop();
});

test('keeps the order within a document, also when the first is slow', async () => {
  let first = true;
  const { bus, lines } = recordingBus(async () => {
    if (!first) return;
    first = false;
    await new Promise((resolve) => setTimeout(resolve, 100));
  });
  const outbox = outboxOn(bus);
  await Things.create({ _id: 1, ...outboxOf([]) });
  for (const line of [1, 2, 3]) {
    const events = [joined(line)];
    await Things.updateOne({ _id: 1 }, withEvents({ $set: { name: `${line}` } }, events));
    outbox.send(Things, 1, events);
  }
  await eventually(() => outbox.empty());
  expect(lines()).toEqual([1, 2, 3]);
  await outbox.stop();
});

test('what the bus refused is sent again, and nothing of it is lost', async () => {
  let away = true;
  const { bus, lines } = recordingBus(async () => {
    if (away) throw new Error('away');
  });
  const outbox = outboxOn(bus);
  const events = [joined(1)];
  await Things.create({ _id: 1, ...outboxOf(events) });
  outbox.send(Things, 1, events);
  await outbox.stop();
  expect(await Things.findById(1).lean()).toMatchObject({ outbox: [{ id: events[0]?.id }] });

  away = false;
  await makeDue();
  const next = outboxOn(bus);
  next.start();
  await eventually(() => next.empty());
  expect(lines()).toEqual([1]);
  await next.stop();
});

test('a tombstone stays until its event is out, then it goes', async () => {
  let away = true;
  const { bus } = recordingBus(async () => {
    if (away) throw new Error('away');
  });
  const outbox = outboxOn(bus);
  const events = [joined(1)];
  await Things.create({ _id: 1, ...outboxOf(events), deletedAt: new Date() });
  outbox.send(Things, 1, events);
  await outbox.stop();
  expect(await Things.countDocuments()).toBe(1);

  away = false;
  await makeDue();
  const next = outboxOn(bus);
  next.start();
  await eventually(async () => (await Things.countDocuments()) === 0);
  await next.stop();
});

test('two instances that sweep at once share the work: each event goes out once', async () => {
  const { bus, lines } = recordingBus(() => new Promise((resolve) => setTimeout(resolve, 5)));
  await Things.insertMany(
    Array.from({ length: 60 }, (_, index) => ({ _id: index + 1, ...outboxOf([joined(index + 1)]) })),
  );
  await makeDue();
  const instances = [outboxOn(bus), outboxOn(bus)];
  for (const instance of instances) instance.start();
  await eventually(async () => (await Promise.all(instances.map((one) => one.empty()))).every(Boolean));
  expect(lines().sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  await Promise.all(instances.map((instance) => instance.stop()));
});

test('an event written while others are being sent is not forgotten with them', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { bus, lines } = recordingBus(() => held);
  const outbox = outboxOn(bus);
  const [first, second] = [[joined(1)], [joined(2)]];
  await Things.create({ _id: 1, ...outboxOf(first) });
  outbox.send(Things, 1, first);
  await Things.updateOne({ _id: 1 }, withEvents({}, second));
  release();
  await eventually(() => lines().length === 1);
  await eventually(async () => (await Things.findById(1).lean())?.outbox.length === 1);
  await makeDue();
  outbox.start();
  await eventually(() => outbox.empty());
  expect(lines()).toEqual([1, 2]);
  await outbox.stop();
});
