import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Binary, BSON, type Collection, Long, ObjectId } from 'mongodb';
import { sendCommand } from '../bench/hostile.ts';
import { Engine } from '../src/engine.ts';
import { dump, restore } from '../src/files.ts';
import { Storage } from '../src/storage.ts';
import { decode } from '../src/values.ts';
import {
  codeOf,
  collectionWith,
  errorOf,
  newFolder,
  type Running,
  restart,
  startServer,
  type Thing,
} from './server.ts';

// Cases in which the server once neither did what MongoDB does nor rejected the request.

let running: Running;
beforeAll(async () => {
  running = await startServer();
});
afterAll(() => running.stop());

const make = (...docs: Thing[]) => collectionWith(running.db, docs);
type Lists = { _id: number; n?: number; a?: number; list?: unknown[]; set?: unknown[] };
const withLists = (things: Collection<Thing>) => running.db.collection<Lists>(things.collectionName);
/** Returns the error code of the only statement of a command. */
const codeOfStatement = async (command: object) => (await running.db.command(command)).writeErrors?.[0].code;

/** Returns a document nested to this depth. */
const nested = (levels: number): object => (levels > 1 ? { a: nested(levels - 1) } : {});

describe('the stored data', () => {
  it('contains no document nested too deeply to read: inserts and updates are rejected with code 15', async () => {
    const own = await startServer();
    const things = own.db.collection<Thing>('things');
    await things.insertOne({ _id: 1 });
    const path = Array(100).fill('a').join('.');
    expect(await codeOf(things.updateOne({ _id: 1 }, { $set: { [path]: nested(120) } }))).toBe(15);
    expect(await codeOf(things.insertOne({ _id: 2, a: nested(185) }))).toBe(15);
    await things.insertOne({ _id: 3, a: nested(175) });
    const again = await restart(own);
    expect(await again.db.collection('things').countDocuments()).toBe(2);
    await again.stop();
  });

  it('contains no date that JavaScript cannot represent', () => {
    const bytes = BSON.serialize({ at: Long.MAX_VALUE });
    bytes[4] = 9;
    expect(() => decode(bytes)).toThrow('date');
  });

  it('is not used once it cannot be read after a failure', () => {
    const script = `
      const { Storage } = await import(${JSON.stringify(join(import.meta.dirname, '../src/storage.ts'))});
      const storage = new Storage(${JSON.stringify(newFolder())}, Infinity);
      storage.onFailure = () => { throw new Error('the disk is unreadable'); };
      storage.write(Buffer.alloc(10), Buffer.from('x'));
      await storage.flushed().catch(() => {});
      setTimeout(() => process.exit(0), 5000);`;
    const node = ['--conditions=@wayquest/source', '--import', 'tsx', '--input-type=module', '-e', script];
    const { status, stderr } = spawnSync(process.execPath, node, { encoding: 'utf8' });
    expect(stderr).toContain('the disk is unreadable');
    expect(status).toBe(1);
  });

  it('is nothing if nothing was written, also if the disk is full', async () => {
    const storage = new Storage(newFolder(), Number.POSITIVE_INFINITY);
    new Engine(storage);
    await storage.flushed();
    await storage.close();
  });
});

describe('a write', () => {
  it('requires a filter: a missing one does not match every document', async () => {
    const things = await make({ _id: 1 }, { _id: 2 });
    const name = things.collectionName;
    expect(await codeOfStatement({ delete: name, deletes: [{ limit: 0 }] })).toBe(40414);
    expect(await codeOfStatement({ delete: name, deletes: [{ q: null, limit: 0 }] })).toBe(40414);
    const u = { $set: { a: 1 } };
    expect(await codeOfStatement({ update: name, updates: [{ u, multi: true }] })).toBe(40414);
    expect(await codeOfStatement({ update: name, updates: [{ q: {}, u, multi: 'yes' }] })).toBe(14);
    expect(await things.countDocuments({ a: null })).toBe(2);
  });

  it('upserts the fields of a single clause of $or', async () => {
    const things = await make({ _id: 1 });
    await things.updateOne({ $or: [{ _id: 5, x: 1 }] }, { $set: { y: 2 } }, { upsert: true });
    expect(await things.findOne({ y: 2 })).toEqual({ _id: 5, x: 1, y: 2 });
  });

  it('of many items stays within its time limit', async () => {
    const things = withLists(await make({ _id: 1 }));
    const items = Array.from({ length: 80_000 }, (_, i) => i);
    await things.updateOne({}, { $push: { list: { $each: items } } });
    await things.updateOne({}, { $addToSet: { set: { $each: [...items, ...items] } } });
    const found = await things.findOne({});
    expect([found?.list?.length, found?.set?.length]).toEqual([80_000, 80_000]);
    // Comparing each item with all others would take many minutes.
  });

  it('that is too large fails alone in its batch', async () => {
    const text = 'x'.repeat(10_000_000);
    const things = withLists(await make({ _id: 1, n: 0 }, { _id: 2, n: 1, list: [text] }, { _id: 3, n: 2 }));
    const updates = [{ $set: { a: 1 } }, { $push: { list: text } }, { $set: { a: 1 } }];
    const changes = updates.map((update, i) => ({ updateOne: { filter: { n: i }, update } }));
    expect(await errorOf(things.bulkWrite(changes, { ordered: false }))).toMatchObject({ code: 10334 });
    expect(await things.countDocuments({ a: 1 })).toBe(2);
  });

  it('of many that fails half way counts none', async () => {
    const things = await make({ _id: 1, n: 1 }, { _id: 2, n: 'x' });
    const updates = [{ q: {}, u: { $inc: { n: 1 } }, multi: true }];
    const reply = await running.db
      .command({ update: things.collectionName, updates })
      .catch((error) => error);
    expect(reply.errorResponse ?? reply).toMatchObject({ n: 0, nModified: 0 });
  });

  it('accepts a transaction number only if it can be retried', async () => {
    const lsid = { id: new Binary(Buffer.from(randomUUID().replaceAll('-', ''), 'hex'), 4) };
    const numbered = (command: object, db = 'test') =>
      sendCommand(running.server.port, { ...command, lsid, txnNumber: Long.fromNumber(1), $db: db });
    expect(await numbered({ drop: 'transactions' }, 'config')).toMatchObject({ ok: 0, code: 50768 });
    const insert = { insert: 'transactions', documents: [{ _id: 1 }] };
    expect(await numbered(insert, 'config')).toMatchObject({ ok: 1, n: 1 });
    expect(await running.client.db('config').collection('transactions').countDocuments({})).toBe(2);
  });
});

describe('a query', () => {
  it('by an area rejects positions that are no GeoJSON points', async () => {
    const near = { $geoWithin: { $centerSphere: [[10, 20], 1] } };
    for (const place of [[10, 20], { lng: 10, lat: 20 }]) {
      const things = await make({ _id: 1, place });
      expect(await codeOf(things.find({ place: near }).toArray())).toBe(115);
    }
    expect(await (await make({ _id: 1, place: null })).find({ place: near }).toArray()).toEqual([]);
  });

  it('finds the smallest id in a descending index', async () => {
    const things = await make({ _id: 1, a: new ObjectId('0'.repeat(24)), b: 1 });
    await things.createIndex({ a: -1, b: 1 });
    expect(await things.countDocuments({ a: { $lt: new ObjectId() } })).toBe(1);
  });

  it('with a hint finds nothing in an empty collection', async () => {
    expect(
      await running.db
        .collection('nowhere')
        .find({}, { hint: { a: 1 } })
        .toArray(),
    ).toEqual([]);
  });

  it('that groups resolves paths as MongoDB does', async () => {
    const things = await make({ _id: 1, a: [[{ b: 1 }], { b: 2 }] });
    const group = (id: unknown) => things.aggregate([{ $group: { _id: id } }]).toArray();
    expect(await group('$a.b')).toEqual([{ _id: [2] }]);
    expect(await codeOf(group({ a: '$a', $b: 5 }))).toBe(16412);
    expect(await codeOf(group({ 'a.b': '$a' }))).toBe(16412);
  });
});

describe('an index', () => {
  it('with unsupported options is rejected', async () => {
    const things = await make({ _id: 1 });
    expect(await codeOf(things.createIndex({ at: '2dsphere' }, { unique: true }))).toBe(115);
    expect(await codeOf(things.createIndex({ _id: 1 }, { expireAfterSeconds: 5 }))).toBe(197);
    await things.createIndex({ _id: 1 });
    expect((await things.indexes()).map(({ name }) => name)).toEqual(['_id_']);
  });

  it('is the same with its options in another order', async () => {
    const things = await make({ _id: 1 });
    await things.createIndex({ a: 1 }, { unique: true, sparse: true });
    expect(await things.createIndex({ a: 1 }, { sparse: true, unique: true })).toBe('a_1');
    expect(await things.indexes()).toHaveLength(2);
  });
});

describe('the protocol', () => {
  const section = (kind: number, bytes: Uint8Array) => Buffer.concat([Buffer.from([kind]), bytes]);

  it('accepts sections in any order', async () => {
    const document = BSON.serialize({ _id: 1 });
    const length = Buffer.alloc(4);
    length.writeInt32LE(4 + 'documents\0'.length + document.length);
    const body = BSON.serialize({ insert: 'ordered', $db: 'test' });
    const sequence = Buffer.concat([length, Buffer.from('documents\0'), document]);
    const rest = Buffer.concat([Buffer.alloc(4), section(1, sequence), section(0, body)]);
    const header = Buffer.alloc(16);
    header.writeInt32LE(16 + rest.length, 0);
    header.writeInt32LE(2013, 12);
    const socket = connect(running.server.port, '127.0.0.1');
    socket.write(Buffer.concat([header, rest]));
    const [answer] = await once(socket, 'data');
    socket.destroy();
    expect(BSON.deserialize(answer.subarray(21))).toMatchObject({ ok: 1, n: 1 });
  });

  it('rejects empty database names and those with a dot', async () => {
    for (const $db of ['a.b', '', 'a b'])
      expect(await sendCommand(running.server.port, { find: 'c', $db })).toMatchObject({ ok: 0, code: 73 });
  });
});

describe('a dump', () => {
  it('is restored completely or not at all', async () => {
    const [from, target, to] = [newFolder(), newFolder(), newFolder()];
    const storage = new Storage(from);
    const engine = new Engine(storage);
    for (const name of ['d.a', 'd.b']) engine.insert(engine.collection(name), { _id: 1 });
    await storage.close();
    await dump(from, target);
    writeFileSync(join(target, 'd', 'b.bson'), BSON.serialize({ _id: 1, n: new BSON.Decimal128('1') }));
    await expect(restore(to, target)).rejects.toThrow('Decimal128');
    writeFileSync(join(target, 'd', 'b.bson'), BSON.serialize({ _id: 1 }));
    const metadata = { indexes: [], options: { capped: true } };
    writeFileSync(join(target, 'd', 'b.metadata.json'), JSON.stringify(metadata));
    await expect(restore(to, target)).rejects.toThrow('has options');
    writeFileSync(join(target, 'd', 'b.metadata.json'), JSON.stringify({ ...metadata, options: {} }));
    expect(await restore(to, target)).toEqual(['d.a', 'd.b']);
  });
});
