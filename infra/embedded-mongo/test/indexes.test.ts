import { randomUUID } from 'node:crypto';
import { Binary, Long, MongoClient } from 'mongodb';
import { sendCommand } from '../bench/hostile.ts';
import { Engine } from '../src/engine.ts';
import { startEmbeddedMongo } from '../src/index.ts';
import { Storage } from '../src/storage.ts';
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

let running: Running;
beforeAll(async () => {
  running = await startServer();
});
afterAll(() => running.stop());

const make = (...docs: Thing[]) => collectionWith(running.db, docs);

describe('indexes', () => {
  it('reject a second document with the same unique key, and name it', async () => {
    const people = await make({ _id: 1, name: 'ann', town: 'x' });
    await people.createIndex({ name: 1, town: 1 }, { unique: true });
    const error = await errorOf(people.insertOne({ _id: 101, name: 'ann', town: 'x' }));
    expect(error).toMatchObject({
      code: 11000,
      keyPattern: { name: 1, town: 1 },
      keyValue: { name: 'ann', town: 'x' },
    });
    expect(await errorOf(people.insertOne({ _id: 1 }))).toMatchObject({
      code: 11000,
      keyValue: { _id: 1 },
    });
    await people.insertOne({ _id: 102, name: 'ann' });
    expect(await codeOf(people.insertOne({ _id: 103, name: 'ann' }))).toBe(11000);
    await people
      .insertMany(
        [
          { _id: 104, name: 'bob' },
          { _id: 105, name: 'bob' },
          { _id: 106, name: 'cid' },
        ],
        { ordered: false },
      )
      .catch(() => {});
    expect(await people.countDocuments({ name: { $in: ['bob', 'cid'] } })).toBe(2);
  });

  it('reject in their order', async () => {
    const things = await make({ _id: 1, a: 1 });
    await things.createIndex({ a: 1 }, { unique: true });
    await things.createIndex({ b: 1, c: 1 });
    expect(await codeOf(things.insertOne({ _id: 2, a: 1, b: [1, 2], c: [1, 2] }))).toBe(11000);
    expect(await codeOf(things.insertOne({ _id: 2, a: 2, b: [1, 2], c: [1, 2] }))).toBe(171);
  });

  it('do not hide documents that a sparse index omits', async () => {
    const people = await make({ _id: 1 }, { _id: 2 }, { _id: 3, mail: 'a' });
    await people.createIndex({ mail: 1 }, { unique: true, sparse: true });
    expect(await codeOf(people.insertOne({ _id: 111, mail: 'a' }))).toBe(11000);
    expect(await people.find({}, { sort: { mail: 1 } }).toArray()).toHaveLength(3);
    expect(await people.countDocuments({ mail: null })).toBe(2);
  });

  it('are chosen for equality, range and order, as explain shows', async () => {
    const people = await make(
      ...Array.from({ length: 30 }, (_, i) => ({ _id: i, group: i % 3, age: 30 - i, name: `n${i}` })),
    );
    await people.createIndex({ group: 1, age: -1 });
    await people.createIndex({ name: 1 });
    const plan = async (filter: object, sort: Record<string, 1 | -1> = {}) =>
      (await people.find(filter).sort(sort).explain()).queryPlanner.winningPlan;
    expect(await plan({ group: 1 }, { age: -1 })).toMatchObject({
      stage: 'FETCH',
      inputStage: { stage: 'IXSCAN', indexName: 'group_1_age_-1' },
    });
    expect(await plan({ group: 1 }, { age: 1 })).toMatchObject({ stage: 'FETCH' });
    expect(await plan({ name: { $gte: 'n2' } })).toMatchObject({ inputStage: { indexName: 'name_1' } });
    expect(await plan({ $or: [{ name: 'n1' }, { _id: 5 }] })).toMatchObject({
      inputStage: { stage: 'IXSCAN' },
    });
    expect(await plan({ _id: { $in: [1, 2, 3] } })).toMatchObject({ inputStage: { indexName: '_id_' } });
    expect(await plan({ name: { $gte: 'n2', $lt: 'n3' } })).toMatchObject({
      inputStage: { indexName: 'name_1' },
    });
    expect(await plan({ name: { $type: 'string' } })).toMatchObject({ inputStage: { indexName: 'name_1' } });
    expect(await plan({ name: { $type: 'array' } })).toMatchObject({ stage: 'COLLSCAN' });
    expect(await plan({ age: 3 })).toMatchObject({ stage: 'COLLSCAN' });
    expect(await plan({ group: { $in: [1, 2] } }, { age: 1 })).toMatchObject({ stage: 'SORT' });
    const page = await people
      .find({ group: 1, age: { $lt: 25 } })
      .sort({ age: -1 })
      .limit(3)
      .toArray();
    expect(page.map(({ age }) => age)).toEqual([23, 20, 17]);
    expect(await codeOf(people.find({}, { hint: 'nothing_1' }).toArray())).toBe(2);
  });

  it('are used for types, also if sparse', async () => {
    const things = await make(
      { _id: 1, due: new Date(5) },
      { _id: 2, due: 'soon' },
      { _id: 3 },
      { _id: 4, due: 7.5 },
    );
    await things.createIndex({ due: 1 }, { sparse: true });
    const idsOf = async (type: string) =>
      (await things.find({ due: { $type: type } }).toArray()).map(({ _id }) => _id);
    expect([await idsOf('date'), await idsOf('string'), await idsOf('double')]).toEqual([[1], [2], [4]]);
    const { winningPlan } = (await things.find({ due: { $type: 'date' } }).explain()).queryPlanner;
    expect(winningPlan).toMatchObject({ inputStage: { indexName: 'due_1' } });
  });

  it('are required for every query with a filter under notablescan', async () => {
    const server = await startEmbeddedMongo({ directory: newFolder(), noTableScan: true });
    const client = await MongoClient.connect(server.url);
    try {
      const things = client.db('test').collection<Thing>('things');
      expect(await things.findOne({ a: 1 })).toBeNull();
      await things.insertMany([
        { _id: 1, a: 1 },
        { _id: 2, a: 2 },
      ]);
      expect(await codeOf(things.findOne({ a: 1 }))).toBe(291);
      expect(await codeOf(things.updateMany({ a: 1 }, { $set: { b: 1 } }))).toBe(291);
      expect(await codeOf(things.aggregate([{ $match: { a: 1 } }]).toArray())).toBe(291);
      expect(await things.find({}).toArray()).toHaveLength(2);
      await things.createIndex({ a: 1 });
      expect(await things.findOne({ a: 1 })).toEqual({ _id: 1, a: 1 });
    } finally {
      await client.close();
      await server.stop();
    }
  });

  it('are used for prefixes of regular expressions', async () => {
    const things = await make(
      { _id: 1, v: 'light' },
      { _id: 2, v: ['dark', 'lighthouse', 'lights'] },
      { _id: 3, v: ['ligh', 'lit', 'Light', 'a light'] },
      { _id: 4, v: 'l💡 on' },
      { _id: 5, v: 'a.b' },
      { _id: 6, v: 'axb' },
    );
    await things.createIndex({ v: -1 }, { name: 'descending' });
    await things.createIndex({ v: 1 });
    const found = async (v: RegExp, hint?: string) => {
      const options = { sort: { _id: 1 } as const, ...(hint && { hint }) };
      const { winningPlan } = (await things.find({ v }, options).explain()).queryPlanner;
      const { indexName } = winningPlan.inputStage.inputStage ?? winningPlan.inputStage;
      return [indexName, ...(await things.find({ v }, options).toArray()).map(({ _id }) => _id)];
    };
    for (const index of ['v_1', 'descending', '_id_']) {
      expect(await found(/^light/, index)).toEqual([index, 1, 2]);
      expect(await found(/^l💡/, index)).toEqual([index, 4]);
      expect(await found(/^a\.b/, index)).toEqual([index, 5]);
      expect(await found(/^light/i, index)).toEqual([index, 1, 2, 3]);
    }
    expect(await found(/^light/)).toEqual(['descending', 1, 2]);
    expect(await codeOf(things.insertOne({ _id: 7, v: [/^light/] }))).toBe(2);
    expect(await codeOf(things.updateOne({}, { $set: { v: /^light/ } }))).toBe(2);
  });

  it('are used as hinted, and a geo index is preferred to one of tokens', async () => {
    const near = { type: 'Point', coordinates: [10, 50] };
    const things = await make({ _id: 1, a: 1 }, { _id: 2, b: 1 }, { _id: 3, a: 2, b: 1, near, v: ['light'] });
    await things.createIndex({ a: 1 }, { sparse: true });
    await things.createIndex({ b: 1 });
    await things.createIndex({ v: 1 });
    await things.createIndex({ near: '2dsphere' });
    const either = { $or: [{ a: { $gte: 1 } }, { b: 1 }] };
    const hinted = await things.find(either, { hint: 'a_1', sort: { _id: 1 } }).toArray();
    expect(hinted.map(({ _id }) => _id)).toEqual([1, 3]);
    const about = { near: { $geoWithin: { $centerSphere: [[10, 50], 0.01] } }, v: /^l/ };
    const { winningPlan } = (await things.find(about).explain()).queryPlanner;
    expect(winningPlan.inputStage.indexName).toBe('near_2dsphere');
    expect(await things.countDocuments(about)).toBe(1);
  });

  it('find the minimum of a descending field, too', async () => {
    const things = await make(
      { _id: 1, a: '', b: 1 },
      { _id: 2, a: Number.NEGATIVE_INFINITY },
      { _id: 3, a: {} },
    );
    await things.createIndex({ a: -1, b: 1 });
    expect(await things.countDocuments({ a: { $lt: 'a' } })).toBe(1);
    expect(await things.countDocuments({ a: { $lt: 0 } })).toBe(1);
    expect(await things.countDocuments({ a: { $lt: { x: 1 } } })).toBe(1);
  });

  it('can be listed and dropped, and reject a duplicate definition', async () => {
    const people = await make({ _id: 1, name: 'a' }, { _id: 2, name: 'a' });
    expect(await codeOf(people.createIndex({ name: 1 }, { unique: true }))).toBe(11000);
    await people.createIndex({ name: 1 });
    await people.createIndex({ name: 1 });
    expect(await codeOf(people.createIndex({ name: 1 }, { sparse: true }))).toBe(85);
    expect(await codeOf(people.createIndex({ town: 1 }, { name: 'name_1' }))).toBe(86);
    expect(await codeOf(people.createIndex({ text: 'text' }))).toBe(115);
    expect(await codeOf(people.createIndex({ age: 1 }, { partialFilterExpression: { age: 1 } }))).toBe(115);
    expect((await people.indexes()).map(({ name }) => name)).toEqual(['_id_', 'name_1']);
    await people.dropIndex('name_1');
    expect(await codeOf(people.dropIndex('name_1'))).toBe(27);
    expect(await codeOf(running.db.collection('none').indexes())).toBe(26);
  });

  it('expire documents', async () => {
    const storage = new Storage(newFolder());
    const engine = new Engine(storage);
    const codes = engine.collection('test.codes');
    engine.createIndex(codes, { key: { at: 1 }, name: 'at_1', expireAfterSeconds: 60 });
    for (const [_id, at] of [
      [1, new Date(0)],
      [2, new Date(50_000)],
      [3, 'never'],
      [4, [new Date(90_000), new Date(1)]],
    ] as const) {
      engine.insert(codes, { _id, at });
    }
    engine.sweep(100_000);
    expect([...codes.stored].map(({ doc }) => doc._id)).toEqual([2, 3]);
    await storage.close();
  });
});

describe('a retried write', () => {
  it('gets the stored response, also from the next process', async () => {
    const lsid = {
      id: new Binary(Buffer.from(randomUUID().replaceAll('-', ''), 'hex'), Binary.SUBTYPE_UUID),
    };
    // The driver numbers no writes for a standalone, and puts its own session in the place of any other.
    const insert = ({ server }: Running, txnNumber: number, _id: number) =>
      sendCommand(server.port, {
        insert: 'retried',
        documents: [{ _id }],
        lsid,
        txnNumber: Long.fromNumber(txnNumber),
        $db: 'test',
      });
    const one = await startServer();
    expect(await insert(one, 1, 1)).toMatchObject({ n: 1, ok: 1 });
    expect(await insert(one, 1, 1)).toMatchObject({ n: 1, ok: 1 });
    const two = await restart(one);
    expect(await insert(two, 1, 1)).toMatchObject({ n: 1, ok: 1 });
    expect(await insert(two, 2, 1)).toMatchObject({ n: 0, writeErrors: [{ code: 11000 }] });
    expect(await insert(two, 1, 2)).toMatchObject({ ok: 0, code: 225 });
    expect(await two.db.collection('retried').countDocuments()).toBe(1);
    await two.stop();
  });
});
