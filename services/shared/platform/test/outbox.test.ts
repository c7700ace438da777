import type { Event } from '@wayquest/contracts';
import type { Clock } from '@wayquest/platform/async';
import { type EventBus, newEvent } from '@wayquest/platform/bus';
import { addOutbox, createOutboxes, type WithOutbox, withEvents } from '@wayquest/platform/outbox';
import { prepareStore } from '@wayquest/platform/store';
import { createLogger, type Logger, metrics } from '@wayquest/platform/telemetry';
import {
  connectTestStore,
  createRecordingLogger,
  createTestClock,
  dropDatabases,
  eventually,
  storeUrl,
} from '@wayquest/testing';
import mongoose, { type Connection, type Model, Schema } from 'mongoose';

interface Thing extends WithOutbox {
  _id: number;
  name?: string | null;
}

const logger = createLogger({ name: 'test', level: 'silent' });
const database = `test_outbox_${process.pid}_${Date.now()}`;
const joined = (participationId: number) =>
  newEvent('challenge.joined.v1', { participationId, challengeId: 1, userId: 1 });

let connection: Connection;
let Things: Model<Thing>;

function thingModel(on: Connection) {
  const schema = new Schema<Thing>({ _id: Number, name: String });
  addOutbox(schema);
  return on.model<Thing>('Thing', schema, 'things');
}

beforeAll(async () => {
  connection = await connectTestStore(database);
  Things = thingModel(connection);
  await prepareStore(connection);
});
beforeEach(async () => {
  await Things.deleteMany({});
});
afterAll(async () => {
  await connection.close();
  await dropDatabases(storeUrl(), [database]);
});

/** A bus that records published events; `publish` may fail. */
function recordingBus(publish: (event: Event) => Promise<void> = async () => {}) {
  const published: Event[] = [];
  const bus: EventBus = {
    async publish(event) {
      await publish(event);
      published.push(event);
    },
    subscribe: async () => ({ close: async () => {} }),
    eraseDeadLetters: async () => {},
    responds: () => true,
    ready: () => true,
    idle: async () => true,
    close: async () => {},
  };
  return {
    bus,
    published,
    participations: () => published.map(({ data }) => ('participationId' in data ? data.participationId : 0)),
  };
}

/** Creates the outbox of one instance. */
function outboxOn(bus: EventBus, options: { clock?: Clock; logger?: Logger } = {}) {
  const outboxes = createOutboxes({ bus, logger, ...options });
  return { ...outboxes, ...outboxes.forModel(Things) };
}

/** Ends every lease and back-off. */
const makeDue = () => Things.updateMany({ outboxDueAt: { $type: 'date' } }, { outboxDueAt: new Date(0) });

const put = (_id: number, events: Event[], name = '') =>
  Things.updateOne({ _id }, withEvents({ $set: { name } }, events), { upsert: true });

const createGate = () => {
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { until, release };
};

test('publishes events, then removes them', async () => {
  const { bus, participations } = recordingBus();
  const outbox = outboxOn(bus);
  await outbox.create({ _id: 1 }, [joined(1), joined(2)]);
  expect(await outbox.empty()).toBe(false);
  await eventually(() => outbox.empty());
  expect(participations()).toEqual([1, 2]);
  const stored = await Things.findById(1).lean();
  expect(stored).toEqual({ _id: 1, __v: 0, outbox: [] });
  await outbox.stop();
});

test('needs two store commands for a new document, and three for an update', async () => {
  const watched = await mongoose
    .createConnection(storeUrl(), {
      dbName: database,
      autoIndex: false,
      autoCreate: false,
      monitorCommands: true,
    })
    .asPromise();
  const commands: string[] = [];
  watched.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName));
  const Watched = thingModel(watched);
  const { bus } = recordingBus();
  const outboxes = createOutboxes({ bus, logger });
  const outbox = outboxes.forModel(Watched);
  await outbox.create({ _id: 1 }, [joined(1), joined(2)]);
  await outboxes.stop();
  expect(commands.splice(0)).toEqual(['insert', 'update']);
  await Watched.updateOne({ _id: 1 }, withEvents({}, [joined(3)]));
  outbox.send(1);
  await outboxes.stop();
  expect(commands.splice(0)).toEqual(['update', 'findAndModify', 'update']);
  await watched.close();
});

test('the sweep of another instance publishes events of one that crashed between write and publish', async () => {
  await put(1, [joined(1)]);
  const { bus, published } = recordingBus();
  const other = outboxOn(bus);
  other.start();
  // Claimed by its writer, so the first sweep does not publish it.
  await eventually(async () =>
    expect(await Things.countDocuments({ outboxDueAt: { $gt: new Date() } })).toBe(1),
  );
  expect(published).toEqual([]);
  await makeDue();
  await eventually(() => other.empty());
  expect(published).toHaveLength(1);
  await other.stop();
});

test('keeps the order within a document, also if publishing the first event is slow', async () => {
  const { until, release } = createGate();
  const { bus, participations } = recordingBus(() => until);
  const outbox = outboxOn(bus);
  for (const participation of [1, 2, 3]) {
    await put(1, [joined(participation)]);
    outbox.send(1);
  }
  release();
  await eventually(() => outbox.empty());
  expect(participations()).toEqual([1, 2, 3]);
  await outbox.stop();
});

test('retries events that the bus rejected, without losing any', async () => {
  let isUnavailable = true;
  const { bus, participations } = recordingBus(async () => {
    if (isUnavailable) throw new Error('unavailable');
  });
  const outbox = outboxOn(bus);
  const events = [joined(1)];
  await outbox.create({ _id: 1 }, events);
  await outbox.stop();
  expect(await Things.findById(1).lean()).toMatchObject({ outbox: [{ id: events[0]?.id }] });

  isUnavailable = false;
  await makeDue();
  const next = outboxOn(bus);
  next.start();
  await eventually(() => next.empty());
  expect(participations()).toEqual([1]);
  await next.stop();
});

test('a failed event blocks the later ones, with growing back-off', async () => {
  let rejects = true;
  const { bus, participations } = recordingBus(async () => {
    if (rejects) throw new Error('rejected');
  });
  const clock = createTestClock();
  const outbox = outboxOn(bus, { clock });
  const pauses: number[] = [];
  for (const participation of [1, 2, 3]) {
    await put(1, [joined(participation)]);
    outbox.send(1);
    await eventually(async () => (await Things.findById(1).lean())?.outboxAttempts === participation);
    const { outboxDueAt } = await Things.findById(1).lean().orFail();
    pauses.push((outboxDueAt?.getTime() ?? 0) - clock.now());
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000]);
  rejects = false;
  await put(1, [joined(4)]);
  outbox.send(1);
  await eventually(() => outbox.empty());
  expect(participations()).toEqual([1, 2, 3, 4]);
  expect(await Things.findById(1).lean()).not.toHaveProperty('outboxAttempts');
  await outbox.stop();
});

test('warns of an event that could not be published three times in a row, not of a single failure', async () => {
  let rejects = true;
  const { bus } = recordingBus(async () => {
    if (rejects) throw new Error('rejected');
  });
  const log = createRecordingLogger();
  const outbox = outboxOn(bus, { logger: log.logger });
  const hasWarned = () => log.hasLogged('could not publish events');
  const fail = async (attempts: number) => {
    rejects = true;
    outbox.send(1);
    await eventually(async () => (await Things.findById(1).lean())?.outboxAttempts === attempts);
    await makeDue();
  };
  await put(1, [joined(1)]);
  await fail(1);
  await fail(2);
  rejects = false;
  outbox.send(1);
  await eventually(() => outbox.empty());
  expect(hasWarned()).toBe(false);

  await put(1, [joined(2)]);
  for (const attempts of [1, 2, 3]) {
    expect(hasWarned()).toBe(false);
    await fail(attempts);
  }
  await outbox.stop();
  expect(hasWarned()).toBe(true);
});

test('events that were published before a failure are not published again', async () => {
  let rejectedParticipation = 2;
  const { bus, participations } = recordingBus(async ({ data }) => {
    if ('participationId' in data && data.participationId === rejectedParticipation)
      throw new Error('rejected');
  });
  const outbox = outboxOn(bus);
  await outbox.create({ _id: 1 }, [joined(1), joined(2), joined(3)]);
  await outbox.stop();
  expect((await Things.findById(1).lean())?.outbox).toHaveLength(2);
  rejectedParticipation = 0;
  outbox.send(1);
  await eventually(() => outbox.empty());
  expect(participations()).toEqual([1, 2, 3]);
});

test('a tombstone is deleted once its event is published', async () => {
  let isUnavailable = true;
  const { bus } = recordingBus(async () => {
    if (isUnavailable) throw new Error('unavailable');
  });
  const outbox = outboxOn(bus);
  await Things.create({ _id: 1, outbox: [] });
  await Things.updateOne({ _id: 1 }, withEvents({ $set: { deletedAt: new Date() } }, [joined(1)]));
  outbox.send(1);
  await outbox.stop();
  expect(await Things.countDocuments()).toBe(1);

  isUnavailable = false;
  await makeDue();
  const next = outboxOn(bus);
  next.start();
  await eventually(async () => (await Things.countDocuments()) === 0);
  await next.stop();
});

test('a document that becomes a tombstone while its events are published is deleted, too', async () => {
  const { until, release } = createGate();
  const { bus } = recordingBus(() => until);
  const outbox = outboxOn(bus);
  await outbox.create({ _id: 1 }, [joined(1)]);
  await Things.updateOne({ _id: 1 }, { deletedAt: new Date() });
  release();
  await eventually(async () => (await Things.countDocuments()) === 0);
  await outbox.stop();
});

test('two concurrent sweeps share the work: each event is published once', async () => {
  const { until, release } = createGate();
  const { bus, participations } = recordingBus(() => until);
  const all = Array.from({ length: 60 }, (_, index) => index + 1);
  for (const participation of all) await put(participation, [joined(participation)]);
  await makeDue();
  const instances = [outboxOn(bus), outboxOn(bus)];
  for (const instance of instances) instance.start();
  release();
  await eventually(async () => (await Promise.all(instances.map((one) => one.empty()))).every(Boolean));
  expect(participations().sort((a, b) => a - b)).toEqual(all);
  await Promise.all(instances.map((instance) => instance.stop()));
});

test('two instances that write to one document concurrently publish all events in order', async () => {
  const { bus, participations } = recordingBus();
  const instances = [outboxOn(bus), outboxOn(bus)];
  for (let participation = 1; participation <= 20; participation += 2) {
    await put(1, [joined(participation)]);
    await put(1, [joined(participation + 1)]);
    for (const instance of instances) instance.send(1);
  }
  await Promise.all(instances.map((instance) => instance.stop()));
  expect(participations()).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  const isPending = ({ outboxDueAt, outboxClaim }: WithOutbox) => Boolean(outboxDueAt || outboxClaim);
  expect((await Things.find().lean()).filter(isPending)).toEqual([]);
});

test('an event written during publishing is not removed with the others', async () => {
  const { until, release } = createGate();
  const { bus, participations } = recordingBus(() => until);
  const outbox = outboxOn(bus);
  await outbox.create({ _id: 1 }, [joined(1)]);
  // Its writer has crashed, so the instance that has claimed the document publishes it.
  await put(1, [joined(2)]);
  release();
  await eventually(() => outbox.empty());
  expect(participations()).toEqual([1, 2]);
  await outbox.stop();
});

test('a document that is written continuously still publishes its first event', async () => {
  await put(1, [joined(1)]);
  const before = await Things.findById(1).lean();
  await put(1, [joined(2)]);
  expect((await Things.findById(1).lean())?.outboxDueAt).toEqual(before?.outboxDueAt);
});

/** A bus that publishes only what a test has released, and counts the attempts. */
function gatedBus(isGated: (participationId: number) => boolean) {
  const gate = createGate();
  const attempts: number[] = [];
  const recording = recordingBus(async ({ data }) => {
    if (!('participationId' in data)) return;
    attempts.push(data.participationId);
    if (isGated(data.participationId)) await gate.until;
  });
  return { ...recording, attempts, release: gate.release };
}

test('slow publications delay no others, and are not repeated (51.5)', async () => {
  const { bus, attempts, participations, release } = gatedBus((participation) => participation <= 20);
  const clock = createTestClock();
  const outbox = outboxOn(bus, { clock });
  const advanceUntil = (condition: () => boolean | Promise<boolean>) =>
    eventually(async () => {
      await clock.advance(1_000);
      return condition();
    });
  const all = Array.from({ length: 40 }, (_, index) => index + 1);
  for (const participation of all) await put(participation, [joined(participation)]);
  await makeDue();
  outbox.start();
  await advanceUntil(() => participations().length === 20);
  release();
  await advanceUntil(() => outbox.empty());
  expect(participations().sort((a, b) => a - b)).toEqual(all);
  expect(attempts).toHaveLength(40);
  await outbox.stop();
});

test('a publication that outlasts its lease is left to its instance, also after a stall (51.5)', async () => {
  const { bus, attempts, participations, release } = gatedBus(() => true);
  const clock = createTestClock();
  let renewals = 0;
  const watchedClock: Clock = {
    now: clock.now,
    sleep(ms, signal) {
      // Half of the lease: until the next renewal.
      if (ms === 5_000) renewals++;
      return clock.sleep(ms, signal);
    },
  };
  const [slow, other] = [outboxOn(bus, { clock: watchedClock }), outboxOn(bus, { clock })];
  slow.start();
  other.start();
  await slow.create({ _id: 1 }, [joined(1), joined(2)]);
  for (let halfLease = 0; halfLease < 6; halfLease++) {
    await eventually(() => renewals === halfLease + 1);
    await clock.advance(5_000);
    await eventually(async () =>
      expect((await Things.findById(1).lean())?.outboxDueAt).toEqual(new Date(clock.now() + 10_000)),
    );
  }
  expect(attempts).toEqual([1]);
  await other.stop();
  // As after a stall, in which the lease has ended.
  await makeDue();
  for (let second = 0; second < 10; second++) await clock.advance(1_000);
  expect(attempts).toEqual([1]);
  release();
  await eventually(async () => {
    await clock.advance(1_000);
    return slow.empty();
  });
  expect(participations()).toEqual([1, 2]);
  expect(attempts).toEqual([1, 2]);
  await slow.stop();
});

test('does not publish to an unavailable bus, and continues when it is available', async () => {
  let ready = false;
  const { bus, published } = recordingBus();
  const outbox = outboxOn({ ...bus, ready: () => ready });
  await put(1, [joined(1)]);
  await makeDue();
  const before = await Things.findById(1).lean();
  outbox.start();
  await outbox.stop();
  expect(await Things.findById(1).lean()).toEqual(before);
  ready = true;
  const next = outboxOn(bus);
  next.start();
  await eventually(() => next.empty());
  expect(published).toHaveLength(1);
  await next.stop();
});

const oldest = async () =>
  (await metrics.outboxOldestEventAge.get()).values.find(({ labels }) => labels.collection === 'things')
    ?.value;

test('reports the age of the oldest event while the bus is unavailable, whatever its claim and failures', async () => {
  const { bus } = recordingBus(() => new Promise(() => {}));
  const clock = createTestClock();
  const outbox = outboxOn(bus, { clock });
  const anHourAgo = { ...joined(1), occurredAt: new Date(clock.now() - 3_600_000).toISOString() };
  await put(1, [anHourAgo, joined(2)]);
  await put(2, [joined(3)]);
  await makeDue();
  outbox.start();
  await eventually(async () => expect(await oldest()).toBe(3_600));
  // Stops once the pending publication has timed out.
  let hasStopped = false;
  const stopped = outbox.stop().then(() => {
    hasStopped = true;
  });
  await eventually(async () => {
    await clock.advance(1_000);
    return hasStopped;
  });
  await stopped;
  await Things.deleteMany({});
  const next = outboxOn(bus);
  next.start();
  await eventually(async () => expect(await oldest()).toBe(0));
  await next.stop();
});

test('publishes events that the previous version stored', async () => {
  const events = [joined(1), joined(2)];
  const outboxDueAt = new Date(0);
  await connection.collection<Thing>('things').insertMany([
    { _id: 1, outbox: events, outboxDueAt, outboxAttempts: 3 },
    { _id: 2, outbox: [joined(3)], outboxDueAt, deletedAt: new Date() },
    { _id: 3, outbox: [], outboxDueAt, outboxAttempts: 70 },
    { _id: 4, outbox: [], outboxDueAt, deletedAt: new Date() },
  ]);
  const { bus, participations } = recordingBus();
  const outbox = outboxOn(bus);
  outbox.start();
  await eventually(() => outbox.empty());
  expect(participations().sort()).toEqual([1, 2, 3]);
  expect(await Things.find().sort({ _id: 1 }).lean()).toEqual([
    { _id: 1, outbox: [] },
    { _id: 3, outbox: [] },
  ]);
  await outbox.stop();
});

describe('documents inserted in one batch', () => {
  const entries = (...ids: number[]) => ids.map((id) => ({ document: { _id: id }, events: [joined(id)] }));

  test('are inserted up to the first that the store rejects, and only their events are published', async () => {
    const { bus, participations } = recordingBus();
    const outbox = outboxOn(bus);
    await Things.create({ _id: 3 });
    expect(await outbox.createOrdered(entries(1, 2, 3, 4))).toMatchObject({
      inserted: 2,
      error: { code: 11_000 },
    });
    expect(await outbox.createOrdered(entries(4, 5))).toEqual({ inserted: 2 });
    await outbox.stop();
    expect(participations()).toEqual([1, 2, 4, 5]);
    expect(await Things.find({}, { outbox: 1, outboxDueAt: 1 }).sort({ _id: 1 }).lean()).toEqual(
      [1, 2, 3, 4, 5].map((_id) => ({ _id, outbox: [] })),
    );
  });

  test('keep events that are added to one of them during publishing', async () => {
    const gate = createGate();
    const { bus, participations } = recordingBus(() => gate.until);
    const outbox = outboxOn(bus);
    await outbox.createOrdered(entries(1, 2));
    await put(2, [joined(20)]);
    gate.release();
    await eventually(() => outbox.empty());
    await outbox.stop();
    expect(participations()).toEqual([1, 2, 20]);
  });
});

test('an event waits until onRelay has succeeded', async () => {
  const { bus, participations } = recordingBus();
  const relayed: number[] = [];
  let isUnavailable = true;
  const outboxes = createOutboxes({ bus, logger });
  const outbox = outboxes.forModel(Things, {
    onRelay: async ({ data }) => {
      if (isUnavailable) throw new Error('unavailable');
      if ('participationId' in data) relayed.push(data.participationId);
    },
  });
  await outbox.create({ _id: 1 }, [joined(1)]);
  await eventually(async () => (await Things.findById(1).lean())?.outboxAttempts === 1);
  expect(relayed).toEqual([]);
  isUnavailable = false;
  await makeDue();
  outbox.send(1);
  await eventually(() => outboxes.empty());
  await outboxes.stop();
  expect(relayed).toEqual([1]);
  // At least once.
  expect(participations()).toEqual([1, 1]);
});

test('an event is published again if onRelay does not end (51.8)', async () => {
  const { bus, participations } = recordingBus();
  let calls = 0;
  const outboxes = createOutboxes({ bus, logger, leaseMs: 40 });
  const outbox = outboxes.forModel(Things, {
    onRelay: () => (++calls === 1 ? new Promise<never>(() => {}) : Promise.resolve()),
  });
  await outbox.create({ _id: 1 }, [joined(1)]);
  await eventually(async () => (await Things.findById(1).lean())?.outboxAttempts === 1);
  await makeDue();
  outbox.send(1);
  await eventually(() => outboxes.empty());
  await outboxes.stop();
  expect(participations()).toEqual([1, 1]);
});
