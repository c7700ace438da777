import {
  dropCollection,
  dropIndex,
  type Migration,
  moveCollection,
  prepareStore,
  renameFields,
} from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import {
  connectTestStore,
  createTestClock,
  dropDatabases,
  eventually,
  storeUrl,
  type TestClock,
} from '@wayquest/testing';
import { type Connection, Schema } from 'mongoose';

const database = `test_migrations_${process.pid}_${Date.now()}`;
const leaseMs = 30_000;

let clock: TestClock;
/** Started migrations, each with the process that ran it. */
let started: string[];
const opened: Connection[] = [];
beforeEach(() => {
  clock = createTestClock();
  started = [];
});
afterEach(async () => {
  for (const connection of opened.splice(0)) await connection.close();
  await dropDatabases(storeUrl(), [database]);
});

/** Creates a process of a service with one collection, and counts its attempts to take the lease. */
async function newProcess(name: string) {
  const connection = await connectTestStore(database);
  opened.push(connection);
  const Walks = connection.model('Walk', new Schema({ _id: Number, steps: Number }), 'walks');
  const process = { name, connection, Walks, leaseAttempts: 0 };
  connection.set('debug', (collection: string, method: string, filter: { _id?: unknown }) => {
    if (collection === 'migrations' && method === 'updateOne' && filter._id === 'lease')
      process.leaseAttempts++;
  });
  return process;
}
type Process = Awaited<ReturnType<typeof newProcess>>;

const gate = () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

/** A migration that increments a counter, so that a second run would be noticed. */
const migration =
  (name: string, until?: Promise<void>) =>
  ({ name: process, Walks }: Process): Migration => ({
    name,
    async run() {
      started.push(`${name} by ${process}`);
      await until;
      await Walks.updateMany({}, { $inc: { steps: 1 } });
    },
  });

const start = (
  process: Process,
  migrations: ((process: Process) => Migration)[],
  more: Parameters<typeof prepareStore>[1] = {},
) =>
  prepareStore(process.connection, {
    ...{ clock, leaseMs, ...more },
    migrations: migrations.map((create) => create(process)),
  });

/** The same in a store of an earlier version. */
const startOnEarlierStore = async (...args: Parameters<typeof start>) => {
  await args[0].Walks.createCollection();
  await start(...args);
};

const steps = async ({ Walks }: Process) => (await Walks.findById(1).lean())?.steps;

it('are run once for a store, in their order, before the rest is prepared', async () => {
  const lines: string[] = [];
  const log = createLogger({
    name: 'test',
    level: 'info',
    destination: { write: (line) => lines.push(line) },
  });
  const prepare = async () => {
    started.push('prepare');
  };
  const first = await newProcess('first');
  await first.Walks.create({ _id: 1, steps: 0 });
  await startOnEarlierStore(first, [migration('001-a'), migration('002-b')], { logger: log, prepare });
  expect(started).toEqual(['001-a by first', '002-b by first', 'prepare']);
  expect(lines.map((line) => JSON.parse(line)).map(({ migration, msg }) => [migration, msg])).toEqual([
    ['001-a', 'migration started'],
    ['001-a', 'migration complete'],
    ['002-b', 'migration started'],
    ['002-b', 'migration complete'],
  ]);
  const later = await newProcess('later');
  await startOnEarlierStore(later, [migration('001-a'), migration('002-b'), migration('003-c')], { prepare });
  expect(started.slice(3)).toEqual(['003-c by later', 'prepare']);
  expect(await steps(later)).toBe(3);
});

it('are only recorded in a new store, which contains nothing to change', async () => {
  const first = await newProcess('first');
  await start(first, [migration('001-a'), migration('002-b')]);
  expect(started).toEqual([]);
  await first.Walks.create({ _id: 1, steps: 0 });
  const later = await newProcess('later');
  await start(later, [migration('001-a'), migration('002-b'), migration('003-c')]);
  expect(started).toEqual(['003-c by later']);
});

it('of a newer version keep an older one from starting, also one with fewer, but not a newer one (55.4)', async () => {
  const version = '0.9.0';
  const first = await newProcess('first');
  await first.Walks.create({ _id: 1, steps: 0 });
  await startOnEarlierStore(first, [migration('001-a')], { version });
  const newer = { version: '0.10.0' };
  await start(await newProcess('newer'), [migration('001-a'), migration('002-b')], newer);
  for (const known of [[migration('001-a')], []])
    await expect(start(await newProcess('older'), known, { version })).rejects.toThrow(
      /was migrated by version 0\.10\.0 \(002-b\), and this is 0\.9\.0\. Start that version again/,
    );
  // One that no longer contains the migrations of stores that it need not read.
  await start(await newProcess('newest'), [migration('003-c')], { version: '0.11.0' });
  expect(started).toEqual(['001-a by first', '002-b by newer', '003-c by newest']);
});

it('are run by one process while others wait, however long they take', async () => {
  const [one, other] = [await newProcess('one'), await newProcess('other')];
  await one.Walks.create({ _id: 1, steps: 0 });
  const { open, opened } = gate();
  const ended: string[] = [];
  const first = startOnEarlierStore(one, [migration('001-a', opened)]).then(() => ended.push('one'));
  await eventually(() => expect(started).toEqual(['001-a by one']));
  const second = startOnEarlierStore(other, [migration('001-a')]).then(() => ended.push('other'));
  const begin = clock.now();
  await eventually(async () => {
    await clock.advance(leaseMs / 10);
    expect(clock.now()).toBeGreaterThan(begin + 3 * leaseMs);
    expect(other.leaseAttempts).toBeGreaterThan(3);
  });
  expect(ended).toEqual([]);
  open();
  await first;
  await eventually(async () => {
    await clock.advance(1_000);
    expect(ended).toEqual(['one', 'other']);
  });
  await second;
  expect(started).toEqual(['001-a by one']);
  expect(await steps(other)).toBe(1);
});

it('continue in another process, with the one that was not completed, if the first is killed', async () => {
  const [killed, other] = [await newProcess('killed'), await newProcess('other')];
  const never = gate().opened;
  void startOnEarlierStore(killed, [migration('001-a'), migration('002-b', never)]);
  await eventually(() => expect(started).toEqual(['001-a by killed', '002-b by killed']));
  await killed.connection.close();
  let isStarted = false;
  void startOnEarlierStore(other, [migration('001-a'), migration('002-b')]).then(() => {
    isStarted = true;
  });
  await eventually(() => expect(other.leaseAttempts).toBe(1));
  await clock.advance(leaseMs - 1);
  expect(started).toHaveLength(2);
  await eventually(async () => {
    await clock.advance(1_000);
    expect(isStarted).toBe(true);
  });
  expect(started.slice(2)).toEqual(['002-b by other']);
});

it('are not continued by a process that stalled until another one took over', async () => {
  const [stalled, other] = [await newProcess('stalled'), await newProcess('other')];
  const { open, opened } = gate();
  const first = startOnEarlierStore(stalled, [migration('001-a', opened), migration('002-b')]);
  await eventually(() => expect(started).toEqual(['001-a by stalled']));
  await startOnEarlierStore(other, [migration('001-a'), migration('002-b')], {
    clock: createTestClock(clock.now() + leaseMs + 1),
  });
  open();
  await expect(first).rejects.toThrow('another process took over');
  expect(started).toEqual(['001-a by stalled', '001-a by other', '002-b by other']);
});

it('are retried at the next start, without waiting for the lease, if one fails', async () => {
  const [failing, next] = [await newProcess('failing'), await newProcess('next')];
  const failure = Promise.reject(new Error('no'));
  // Only awaited once the migration has started.
  failure.catch(() => {});
  await expect(startOnEarlierStore(failing, [migration('001-a', failure)])).rejects.toThrow('no');
  await startOnEarlierStore(next, [migration('001-a')]);
  expect(started).toEqual(['001-a by failing', '001-a by next']);
});

it('do not keep a process of the previous version from starting', async () => {
  const [newer, older] = [await newProcess('newer'), await newProcess('older')];
  await startOnEarlierStore(older, [migration('001-a')]);
  const { open, opened } = gate();
  const migrating = startOnEarlierStore(newer, [migration('001-a'), migration('002-b', opened)]);
  await eventually(() => expect(started).toEqual(['001-a by older', '002-b by newer']));
  await startOnEarlierStore(older, [migration('001-a')]);
  open();
  await migrating;
});

describe('steps of migrations', () => {
  /** More documents than two batches. */
  const documents = Array.from({ length: 2_100 }, (_, _id) => ({ _id, steps: _id, at: new Date(_id) }));
  const stored = (connection: Connection, name: string) =>
    connection.collection<{ _id: number }>(name).find().sort({ _id: 1 }).toArray();

  it('move a collection that a killed process has moved in part', async () => {
    const { connection } = await newProcess('one');
    await connection.collection<{ _id: number }>('old').insertMany(documents.slice(1_000));
    await connection.collection<{ _id: number }>('walks').insertMany(documents.slice(0, 1_005));
    for (let runs = 0; runs < 2; runs++) {
      await moveCollection(connection, 'old', 'walks');
      expect(await stored(connection, 'walks')).toEqual(documents);
    }
    const names = (await connection.listCollections()).map(({ name }) => name);
    expect(names).toEqual(['walks']);
  });

  it('rename fields that a killed process has renamed in part', async () => {
    const { connection } = await newProcess('one');
    const isRenamed = (_id: number) => _id % 3 === 0;
    await connection
      .collection<{ _id: number }>('walks')
      .insertMany(
        documents.map(({ steps, ...rest }) =>
          isRenamed(rest._id) ? { ...rest, paces: steps } : { ...rest, steps },
        ),
      );
    for (let runs = 0; runs < 2; runs++) {
      await renameFields(connection, 'walks', { steps: 'paces' });
      expect(await stored(connection, 'walks')).toEqual(
        documents.map(({ steps, ...rest }) => ({ ...rest, paces: steps })),
      );
    }
  });

  it('do nothing without the collection or the index', async () => {
    const { connection, Walks } = await newProcess('one');
    await renameFields(connection, 'none', { steps: 'paces' });
    await moveCollection(connection, 'none', 'walks');
    await dropCollection(connection, 'none');
    await dropIndex(connection, 'none', 'steps_1');
    await Walks.create({ _id: 1, steps: 1 });
    await dropIndex(connection, 'walks', 'steps_1');
    await Walks.collection.createIndex({ steps: 1 });
    await dropIndex(connection, 'walks', 'steps_1');
    expect((await Walks.listIndexes()).map(({ name }) => name)).toEqual(['_id_']);
  });
});
