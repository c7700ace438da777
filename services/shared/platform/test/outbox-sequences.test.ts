import type { Event } from '@wayquest/contracts';
import { newEvent } from '@wayquest/platform/bus';
import { addOutbox, createOutboxes, type WithOutbox, withEvents } from '@wayquest/platform/outbox';
import { prepareStore } from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import { dropDatabases, fuzzing, storeUrl } from '@wayquest/testing';
import fc from 'fast-check';
import mongoose, { type Connection, type Model, Schema } from 'mongoose';

const instanceCount = 3;
const documentCount = 2;

interface Thing extends WithOutbox {
  _id: number;
  /** Number of writes, from which the test knows their order. */
  writes: number;
}

const logger = createLogger({ name: 'test', level: 'silent' });
const database = `test_outbox_sequences_${process.pid}_${Date.now()}`;

/** How an instance's bus completes its pending publications. */
type Completion =
  | 'accepted'
  | 'rejected'
  /** The event is delivered, but publishing fails. */
  | 'lost';

type Action =
  /** Writes into a document. With `sends`, its events are published immediately; otherwise the writer has crashed. */
  | { do: 'write'; by: number; on: number; events: number; deletes: boolean; sends: boolean }
  | { do: 'sweep'; by: number }
  | { do: 'complete'; by: number; completion: Completion }
  /** An instance crashes, and another one replaces it. */
  | { do: 'crash'; by: number }
  /** All leases and back-offs end. */
  | { do: 'wait' };

const by = fc.nat(instanceCount - 1);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      by,
      on: fc.nat(documentCount - 1),
      events: fc.integer({ min: 1, max: 2 }),
      deletes: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
      sends: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('complete' as const),
      by,
      completion: fc.constantFrom<Completion>('accepted', 'accepted', 'accepted', 'rejected', 'lost'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sweep' as const), by }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), by }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const) }) },
);

/** Concurrent actions. With `settles`, the next step starts when no store command is running. */
const step = fc.record({ actions: fc.array(action, { minLength: 1, maxLength: 4 }), settles: fc.boolean() });

/** Starts an instance of a service: a connection, a bus whose publications a test completes, and an outbox. */
async function startInstance(delivered: Event[], fixedCompletion?: Completion) {
  const connection: Connection = await mongoose
    .createConnection(storeUrl(), {
      dbName: database,
      autoIndex: false,
      autoCreate: false,
      monitorCommands: true,
    })
    .asPromise();
  const schema = new Schema<Thing>({ _id: Number, writes: Number });
  addOutbox(schema);
  const Things: Model<Thing> = connection.model<Thing>('Thing', schema, 'things');
  let started = 0;
  let ended = 0;
  const client = connection.getClient();
  client.on('commandStarted', () => started++);
  client.on('commandSucceeded', () => ended++);
  client.on('commandFailed', () => ended++);

  let pending: ((completion: Completion) => void)[] = [];
  const bus = {
    ready: () => true,
    publish: (event: Event) =>
      new Promise<void>((resolve, reject) => {
        const finish = (completion: Completion) => {
          if (completion !== 'rejected') delivered.push(event);
          if (completion === 'accepted') resolve();
          else reject(new Error(completion));
        };
        if (fixedCompletion) finish(fixedCompletion);
        else pending.push(finish);
      }),
  };
  const options = { bus, logger };
  const outboxes = createOutboxes(options);
  const outbox = outboxes.forModel(Things);
  const sweeps: Promise<void>[] = [];

  return {
    connection,
    Things,
    outbox,
    complete(completion: Completion) {
      const all = pending;
      pending = [];
      for (const finish of all) finish(completion);
    },
    /** Sweeps, as an instance does when it starts. */
    sweep() {
      const sweeper = createOutboxes(options);
      sweeper.forModel(Things);
      sweeper.start();
      const swept = sweeper.stop();
      sweeps.push(swept);
      return swept;
    },
    /** Closes its connection, so that nothing it started continues. */
    async crash() {
      await connection.close(true);
      this.complete('rejected');
    },
    isSettled: () => started === ended,
    waitsForBus: () => pending.length > 0,
    async stop() {
      await Promise.all([...sweeps, outboxes.stop()]);
      await connection.close();
    },
  };
}
type Instance = Awaited<ReturnType<typeof startInstance>>;

const settledTurns = 5;

async function untilSettled(instances: Instance[]): Promise<void> {
  for (let turns = 0; turns < settledTurns; ) {
    await new Promise((resolve) => setImmediate(resolve));
    turns = instances.every((instance) => instance.isSettled()) ? turns + 1 : 0;
  }
}

let observer: Instance;
beforeAll(async () => {
  observer = await startInstance([]);
  await prepareStore(observer.connection);
});
afterAll(async () => {
  await observer.stop();
  await dropDatabases(storeUrl(), [database]);
});

let lastId = 0;
const newId = () => ++lastId;

/** Runs the steps, completes everything that is pending, and checks the delivered events. */
async function run(steps: { actions: Action[]; settles: boolean }[]): Promise<void> {
  const delivered: Event[] = [];
  const instances: Instance[] = [];
  for (let n = 0; n < instanceCount; n++) instances.push(await startInstance(delivered));
  await observer.Things.deleteMany({});
  /** The events of each document, in the order of its writes. */
  const written = new Map<number, Map<number, Event[]>>();
  const current: (number | undefined)[] = [];
  let sentOnce = true;

  const write = async ({ by, on, events: count, deletes, sends }: Extract<Action, { do: 'write' }>) => {
    const { Things, outbox } = instances[by] as Instance;
    const events = Array.from({ length: count }, () =>
      newEvent('challenge.joined.v1', { participationId: newId(), challengeId: 1, userId: 1 }),
    );
    const id = current[on];
    if (id === undefined) {
      const _id = newId();
      current[on] = _id;
      written.set(_id, new Map([[0, events]]));
      if (sends) await outbox.create({ _id, writes: 0 }, events);
      else await Things.create({ _id, writes: 0, outbox: events, outboxDueAt: new Date() });
      return;
    }
    const after = await Things.findOneAndUpdate(
      { _id: id, deletedAt: null },
      withEvents({ $inc: { writes: 1 }, ...(deletes && { $set: { deletedAt: new Date() } }) }, events),
      { returnDocument: 'after' },
    ).lean();
    if (!after) return;
    written.get(id)?.set(after.writes, events);
    if (deletes) current[on] = undefined;
    if (sends) outbox.send(id);
  };

  const wait = () =>
    observer.Things.updateMany({ outboxDueAt: { $type: 'date' } }, { $set: { outboxDueAt: new Date(0) } });

  const act = async (action: Action): Promise<unknown> => {
    if (action.do === 'write') return write(action);
    if (action.do === 'wait') return wait();
    if (action.do === 'sweep') return void (instances[action.by] as Instance).sweep();
    if (action.do === 'complete') return (instances[action.by] as Instance).complete(action.completion);
    return undefined;
  };
  for (const { actions, settles } of steps) {
    await Promise.all(actions.map(act));
    for (const action of actions) {
      if (action.do !== 'crash') continue;
      await instances[action.by]?.crash();
      instances[action.by] = await startInstance(delivered);
    }
    if (actions.some((one) => one.do === 'crash' || one.do === 'wait')) sentOnce = false;
    if (actions.some((one) => one.do === 'complete' && one.completion === 'lost')) sentOnce = false;
    if (settles) await untilSettled(instances);
  }

  // From now on, the bus accepts everything and no instance crashes.
  await untilSettled(instances);
  while (instances.some((instance) => instance.waitsForBus())) {
    for (const instance of instances) instance.complete('accepted');
    await untilSettled(instances);
  }
  await Promise.all(instances.map((instance) => instance.stop()));
  const last = await startInstance(delivered, 'accepted');
  const isWaiting = async () =>
    (await observer.Things.find().lean()).some(({ outboxDueAt, outboxClaim }) => outboxDueAt || outboxClaim);
  for (let round = 0; round < 3 && (await isWaiting()); round++) {
    await wait();
    await last.sweep();
  }
  await last.stop();

  expect(await isWaiting()).toBe(false);
  expect((await observer.Things.find().lean()).filter(({ deletedAt }) => deletedAt)).toEqual([]);
  const firsts = [...new Map(delivered.map((event) => [event.id, event])).keys()];
  for (const [, writes] of written) {
    const expected = [...writes]
      .sort(([a], [b]) => a - b)
      .flatMap(([, events]) => events.map(({ id }) => id));
    const ids = new Set(expected);
    expect(firsts.filter((id) => ids.has(id))).toEqual(expected);
  }
  if (sentOnce) expect(delivered).toHaveLength(firsts.length);
}

test(`sequences of writes, responses, sweeps and crashes of ${instanceCount} instances: nothing is lost, reordered or stuck`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), (steps) => run(steps)),
    fuzzing(30),
  );
});
