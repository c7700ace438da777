import type { Event } from '@wayquest/contracts';
import { createOutboxes, newEvent } from '@wayquest/platform/bus';
import { addOutbox, prepareCollections, type WithOutbox, withEvents } from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import { dropDatabases, storeUrl } from '@wayquest/testing';
import fc from 'fast-check';
import mongoose, { type Connection, type Model, Schema } from 'mongoose';

/** How many sequences are tried: more where somebody has the time (`OUTBOX_RUNS=2000`). */
const runs = Number(process.env.OUTBOX_RUNS || 80);
const instanceCount = 3;
const documentCount = 2;

interface Thing extends WithOutbox {
  _id: number;
  /** Counts the writes, so that the test knows their order. */
  writes: number;
}

const logger = createLogger({ name: 'test', level: 'silent' });
const database = `test_outbox_sequences_${process.pid}_${Date.now()}`;

/** What an instance's bus says to all that it was given and has not answered yet. */
type Answer =
  | 'taken'
  | 'refused'
  /** It has the event, and the sender never hears of it. */
  | 'lost';

type Action =
  /** Writes into a document, the events are sent at once; or its writer is gone before. */
  | { do: 'write'; by: number; on: number; events: number; deletes: boolean; sends: boolean }
  | { do: 'sweep'; by: number }
  | { do: 'answer'; by: number; answer: Answer }
  /** Another instance takes the place of one that never comes back. */
  | { do: 'die'; by: number }
  /** All leases and pauses end. */
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
      do: fc.constant('answer' as const),
      by,
      answer: fc.constantFrom<Answer>('taken', 'taken', 'taken', 'refused', 'lost'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sweep' as const), by }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('die' as const), by }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const) }) },
);

/** Things that happen at the same moment; the next ones when the store is quiet again, or before. */
const step = fc.record({ actions: fc.array(action, { minLength: 1, maxLength: 4 }), quiet: fc.boolean() });

/** One instance of a service: a connection, a bus that answers when it is told to, and an outbox between them. */
async function startInstance(delivered: Event[], answering?: Answer) {
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

  let unanswered: ((answer: Answer) => void)[] = [];
  const bus = {
    ready: () => true,
    publish: (event: Event) =>
      new Promise<void>((resolve, reject) => {
        const take = (answer: Answer) => {
          if (answer !== 'refused') delivered.push(event);
          if (answer === 'taken') resolve();
          else reject(new Error(answer));
        };
        if (answering) take(answering);
        else unanswered.push(take);
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
    answer(answer: Answer) {
      const all = unanswered;
      unanswered = [];
      for (const take of all) take(answer);
    },
    /** As a start does, at the start. */
    sweep() {
      const sweeper = createOutboxes(options);
      sweeper.forModel(Things);
      sweeper.start();
      const swept = sweeper.stop();
      sweeps.push(swept);
      return swept;
    },
    /** Nothing that it began goes on. */
    async die() {
      await connection.close(true);
      this.answer('refused');
    },
    isQuiet: () => started === ended,
    waitsForBus: () => unanswered.length > 0,
    async stop() {
      await Promise.all([...sweeps, outboxes.stop()]);
      await connection.close();
    },
  };
}
type Instance = Awaited<ReturnType<typeof startInstance>>;

const atOnceTurns = 5;

async function untilQuiet(instances: Instance[]): Promise<void> {
  for (let turns = 0; turns < atOnceTurns; ) {
    await new Promise((resolve) => setImmediate(resolve));
    turns = instances.every((instance) => instance.isQuiet()) ? turns + 1 : 0;
  }
}

let observer: Instance;
beforeAll(async () => {
  observer = await startInstance([]);
  await prepareCollections(observer.connection);
});
afterAll(async () => {
  await observer.stop();
  await dropDatabases(storeUrl(), [database]);
});

let lastId = 0;
const newId = () => ++lastId;

/** Lets it all happen, then lets everything come to its end; answers what is wrong then. */
async function run(steps: { actions: Action[]; quiet: boolean }[]): Promise<void> {
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
      newEvent('challenge.joined.v1', { lineId: newId(), challengeId: 1, userId: 1 }),
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
    if (action.do === 'answer') return (instances[action.by] as Instance).answer(action.answer);
    return undefined;
  };
  for (const { actions, quiet } of steps) {
    await Promise.all(actions.map(act));
    for (const action of actions) {
      if (action.do !== 'die') continue;
      await instances[action.by]?.die();
      instances[action.by] = await startInstance(delivered);
    }
    if (actions.some((one) => one.do === 'die' || one.do === 'wait')) sentOnce = false;
    if (actions.some((one) => one.do === 'answer' && one.answer === 'lost')) sentOnce = false;
    if (quiet) await untilQuiet(instances);
  }

  // The bus takes everything now, and whoever is gone stays so.
  await untilQuiet(instances);
  while (instances.some((instance) => instance.waitsForBus())) {
    for (const instance of instances) instance.answer('taken');
    await untilQuiet(instances);
  }
  await Promise.all(instances.map((instance) => instance.stop()));
  const last = await startInstance(delivered, 'taken');
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
    const inOrder = [...writes].sort(([a], [b]) => a - b).flatMap(([, events]) => events.map(({ id }) => id));
    const own = new Set(inOrder);
    expect(firsts.filter((id) => own.has(id))).toEqual(inOrder);
  }
  if (sentOnce) expect(delivered).toHaveLength(firsts.length);
}

test(`${runs} sequences of writes, responses, sweeps and crashes of ${instanceCount} instances: nothing is lost, reordered or stuck`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), (steps) => run(steps)),
    { numRuns: runs, seed: 7 },
  );
}, 1_800_000);
