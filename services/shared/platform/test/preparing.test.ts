import { connectMongo, prepareCollections } from '@wayquest/platform/store';
import { createLogger } from '@wayquest/platform/telemetry';
import { dropDatabases, eventually, storeUrl } from '@wayquest/testing';
import { type Connection, Schema } from 'mongoose';

const logger = createLogger({ name: 'test', level: 'silent' });
const database = `test_preparing_${process.pid}_${Date.now()}`;
const opened: Connection[] = [];
afterEach(async () => {
  for (const connection of opened.splice(0)) await connection.close();
  await dropDatabases(storeUrl(), [database]);
});

/** An instance of a service that has a collection, and how often it looked whether the store is prepared. */
async function newInstance() {
  const connection = await connectMongo({ url: storeUrl(), database, logger });
  opened.push(connection);
  const Walks = connection.model('Walk', new Schema({ _id: Number, steps: Number }), 'walks');
  const instance = { connection, Walks, looks: 0 };
  connection.set('debug', (collection: string, method: string) => {
    if (collection === 'prepared' && method === 'findOne') instance.looks++;
  });
  return instance;
}
type Instance = Awaited<ReturnType<typeof newInstance>>;

const gate = () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

/** Longer than any stall of a busy machine. */
const leaseMs = 1_500;

describe('a store that several instances start on', () => {
  let began: string[];
  let ended: string[];
  beforeEach(() => {
    began = [];
    ended = [];
  });

  /** Starts an instance, whose preparation makes every walk longer: what is done twice can be seen. */
  const start = async (
    name: string,
    { connection, Walks }: Instance,
    { until, version }: { until?: Promise<void>; version?: number } = {},
  ) => {
    await prepareCollections(connection, {
      leaseMs,
      ...(version && { version }),
      async prepare() {
        began.push(name);
        await until;
        await Walks.updateMany({}, { $inc: { steps: 1 } });
      },
    });
    ended.push(name);
  };

  const steps = async ({ Walks }: Instance) => (await Walks.findById(1).lean())?.steps;

  it('is prepared by one of them, and the others wait, however long it takes', async () => {
    const [one, other] = [await newInstance(), await newInstance()];
    await one.Walks.create({ _id: 1, steps: 0 });
    const { open, opened } = gate();
    const first = start('one', one, { until: opened });
    await eventually(() => expect(began).toEqual(['one']));
    const second = start('other', other);
    await eventually(() => expect(other.looks).toBeGreaterThan(20));
    expect(ended).toEqual([]);
    open();
    await Promise.all([first, second]);
    expect(began).toEqual(['one']);
    expect(await steps(other)).toBe(1);
  });

  it('is prepared by another one if the first is killed', async () => {
    const [killed, other] = [await newInstance(), await newInstance()];
    void start('killed', killed, { until: gate().opened });
    await eventually(() => expect(began).toEqual(['killed']));
    await killed.connection.close();
    await start('other', other);
    expect(began).toEqual(['killed', 'other']);
  });

  it('is prepared by another one immediately if the first fails', async () => {
    const [failing, other] = [await newInstance(), await newInstance()];
    const failure = Promise.reject(new Error('no'));
    // Awaited only when the preparation has begun.
    failure.catch(() => {});
    const first = start('failing', failing, { until: failure });
    await expect(first).rejects.toThrow('no');
    await start('other', other);
    expect(other.looks).toBe(2);
  });

  it('is prepared by later starts without waiting, and once more for a later version', async () => {
    const [one, later, newer, another] = [
      await newInstance(),
      await newInstance(),
      await newInstance(),
      await newInstance(),
    ];
    await start('one', one);
    const { open, opened } = gate();
    const preparing = start('newer', newer, { until: opened, version: 2 });
    await eventually(() => expect(began).toEqual(['one', 'newer']));
    await start('later', later);
    const waiting = start('another', another, { version: 2 });
    await eventually(() => expect(another.looks).toBeGreaterThan(2));
    open();
    await Promise.all([preparing, waiting]);
    expect(began).toEqual(['one', 'newer', 'later']);
  });
});
