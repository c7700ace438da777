import { Decimal128, Double, Int32, Long, ObjectId, Timestamp } from 'mongodb';
import { codeOf, collectionWith, errorOf, type Running, startServer, type Thing } from './server.ts';

let running: Running;
beforeAll(async () => {
  running = await startServer({ promoteValues: false, promoteLongs: false });
});
afterAll(() => running.stop());

const make = (...docs: Thing[]) => collectionWith(running.db, docs);
const ids = async (found: { toArray(): Promise<object[]> }) =>
  (await found.toArray()).map((doc) => Number(Reflect.get(doc, '_id')));

describe('numbers', () => {
  it('keep their type through a round trip and an update of another field', async () => {
    const numbers = {
      i: new Int32(5),
      d: new Double(5),
      l: Long.fromNumber(5),
      big: Long.fromNumber(2 ** 40),
      half: 0.5,
    };
    const things = await make({ _id: 1, ...numbers });
    await things.updateOne({ _id: 1 }, { $set: { other: 'x' } });
    const found = await things.findOne({ _id: 1 });
    expect(found?.i).toBeInstanceOf(Int32);
    expect(found?.d).toBeInstanceOf(Double);
    expect(found?.l).toBeInstanceOf(Long);
    expect(String(found?.big)).toBe(String(2 ** 40));
    expect(Number(found?.half)).toBe(0.5);
    const [group] = await things
      .aggregate([
        { $group: { _id: '$d', least: { $min: '$l' }, most: { $max: '$i' }, sum: { $sum: '$l' } } },
      ])
      .toArray();
    expect(group?._id).toBeInstanceOf(Double);
    expect(group?.least).toBeInstanceOf(Long);
    expect(group?.most).toBeInstanceOf(Int32);
    expect(group?.sum).toBeInstanceOf(Long);
  });

  it('compare, sort and group by value, whatever their type', async () => {
    const things = await make(
      { _id: 1, n: Long.fromNumber(3) },
      { _id: 2, n: new Double(3) },
      { _id: 3, n: 4.5 },
      { _id: 4, n: Long.fromNumber(2 ** 40) },
    );
    expect(await ids(things.find({ n: 3 }))).toEqual([1, 2]);
    expect(await ids(things.find({ n: { $gt: Long.fromNumber(3) } }))).toEqual([3, 4]);
    expect(await ids(things.find({}, { sort: { n: -1, _id: 1 } }))).toEqual([4, 3, 1, 2]);
    const groups = await things
      .aggregate([{ $group: { _id: '$n', count: { $sum: 1 } } }, { $sort: { _id: 1 } }])
      .toArray();
    expect(groups.map(({ count }) => Number(count))).toEqual([2, 1, 1]);
  });

  it('stay integers with $inc, and grow to long', async () => {
    const things = await make({ _id: 1, l: Long.fromNumber(5), i: 2 ** 31 - 1, d: new Double(1) });
    await things.updateOne({ _id: 1 }, { $inc: { l: 1, i: 1, d: 1 } });
    const found = await things.findOne({ _id: 1 });
    expect([found?.l, found?.i].map(String)).toEqual(['6', '2147483648']);
    expect(found?.l).toBeInstanceOf(Long);
    expect(found?.i).toBeInstanceOf(Long);
    expect(found?.d).toBeInstanceOf(Double);
    expect(await codeOf(things.updateOne({ _id: 1 }, { $inc: { l: Long.fromNumber(2 ** 53 - 1) } }))).toBe(2);
  });

  it('that cannot be represented exactly are rejected', async () => {
    const things = await make();
    expect(
      (await errorOf(things.insertOne({ _id: 1, n: Long.fromString('9007199254740993') }))).message,
    ).toMatch(/2\^53/);
    expect((await errorOf(things.insertOne({ _id: 1, n: new Decimal128('1.1') }))).message).toMatch(
      /Decimal128/,
    );
    expect(await codeOf(things.insertOne({ _id: 1, n: new Timestamp({ t: 1, i: 1 }) }))).toBe(2);
    expect(await things.countDocuments()).toBe(0);
  });
});

describe('the order of values', () => {
  it('is the same for sorting with and without an index', async () => {
    const text = ['', 'a', 'b', '\u{ffff}', '\u{1f600}'];
    const rest = [new ObjectId(), false, true, new Date(0)];
    const values: unknown[] = [null, -1.5, 0, Long.fromNumber(7), ...text, {}, { a: 1 }, { b: 0 }, ...rest];
    const docs = values.map((v, _id) => ({ _id, v }));
    const things = await make(...docs.toReversed());
    const all = docs.map(({ _id }) => _id);
    expect(await ids(things.find({}, { sort: { v: 1 } }))).toEqual(all);
    await things.createIndex({ v: 1 });
    expect(await ids(things.find({}, { sort: { v: 1 }, hint: { v: 1 } }))).toEqual(all);
    expect(await ids(things.find({}, { sort: { v: -1 }, hint: { v: 1 } }))).toEqual(all.toReversed());
  });

  it('includes the order of keys in subdocuments', async () => {
    const things = await make({ _id: 1, v: { a: 1, b: 2 } }, { _id: 2, v: { b: 2, a: 1 } });
    expect(await ids(things.find({ v: { a: 1, b: 2 } }))).toEqual([1]);
    expect(await things.aggregate([{ $group: { _id: '$v' } }]).toArray()).toHaveLength(2);
  });
});

describe('queries', () => {
  it('find by type', async () => {
    const things = await make(
      { _id: 1, v: 1 },
      { _id: 2, v: 'x' },
      { _id: 3, v: [1.5] },
      { _id: 4, v: null },
      { _id: 5 },
    );
    expect(await ids(things.find({ v: { $type: 'string' } }))).toEqual([2]);
    expect(await ids(things.find({ v: { $type: 'null' } }))).toEqual([4]);
    expect(await ids(things.find({ v: { $type: 'array' } }))).toEqual([3]);
    expect(await codeOf(things.find({ v: { $type: 4 } }).toArray())).toBe(115);
    expect(await ids(things.find({ v: { $type: 'double' } }))).toEqual([3]);
  });

  it('accept simple regular expressions, and reject what PCRE may interpret differently', async () => {
    const things = await make({ _id: 1, v: 'a.c-\n' }, { _id: 2, v: 'A.C' }, { _id: 3, v: ['x', 'abd'] });
    expect(await ids(things.find({ v: /^a\.c/ }))).toEqual([1]);
    expect(await ids(things.find({ v: /a\.c-/ }))).toEqual([1]);
    expect(await ids(things.find({ v: /c\\-/ }))).toEqual([]);
    expect(await ids(things.find({ v: /A/i }))).toEqual([1, 2, 3]);
    expect(await codeOf(things.find({ v: { $in: [/^ab/, 'A.C'] } }).toArray())).toBe(115);
    for (const pattern of [/a$/, /\d/, /a|b/, /a./, /[a]/, /a/m, /a+/]) {
      expect(await codeOf(things.find({ v: pattern }).toArray())).toBe(115);
    }
  });

  it('reject what is unknown or unsupported', async () => {
    const things = await make({ _id: 1 });
    const code = async (filter: object) => await codeOf(things.find(filter).toArray());
    expect(await code({ a: { $foo: 1 } })).toBe(2);
    expect(await code({ $foo: 1 })).toBe(2);
    expect(await code({ $where: 'true' })).toBe(115);
    expect(await code({ a: { $geoIntersects: {} } })).toBe(115);
    expect(await code({ $expr: { $eq: ['$a', 1] } })).toBe(115);
    expect(await code({ a: { $elemMatch: { b: 1 } } })).toBe(115);
    expect(await code({ a: { $not: { $gt: 1 } } })).toBe(115);
    expect(await code({ a: { $size: 1.5 } })).toBe(2);
    expect(await code({ $or: [{ a: { $near: {} } }] })).toBe(115);
    const group = (spec: object) => codeOf(things.aggregate([{ $group: { _id: null, n: spec } }]).toArray());
    expect(await group({ $foo: 1 })).toBe(15952);
    expect(await group({ $sum: { $add: [1, 2] } })).toBe(168);
    expect(await group({ $sum: { $function: {} } })).toBe(168);
    expect(await group({ $sum: { $arrayElemAt: ['$a', 0, 1] } })).toBe(16020);
    expect(await group({ $max: ['$a', '$b'] })).toBe(115);
    expect(await group({ $max: '$$NOW' })).toBe(17276);
    const { db } = running;
    const commandCode = async (command: object) => await codeOf(db.command(command));
    for (const w of [2, 'here', { dc: 1 }])
      expect(await commandCode({ insert: 'things', documents: [{}], writeConcern: { w } })).toBe(2);
    expect(await commandCode({ find: 'x', filter: {}, tailable: true })).toBe(115);
    expect(await commandCode({ find: 'x', filter: {}, oops: true })).toBe(40415);
    expect(await commandCode({ find: 'x', collation: { locale: 'de' } })).toBe(115);
    expect(await commandCode({ aggregate: 'x', pipeline: [{ $lookup: {} }], cursor: {} })).toBe(115);
    expect(await commandCode({ aggregate: 'x', pipeline: [{ $foo: {} }], cursor: {} })).toBe(40324);
    for (const [stage, expected] of [
      [{ $sort: {} }, 15976],
      [{ $project: {} }, 51272],
      [{ $limit: 0 }, 15957],
      [{ $changeStream: {} }, 115],
      [{ $match: 1 }, 40272],
    ] as const) {
      expect(await commandCode({ aggregate: 'x', pipeline: [stage], cursor: {} })).toBe(expected);
    }
    expect(await commandCode({ aggregate: 'x', pipeline: [] })).toBe(9);
    expect(await commandCode({ create: 'x', capped: true, size: 1 })).toBe(115);
    expect(await codeOf(things.updateOne({}, { $foo: { a: 1 } }))).toBe(9);
    expect(await codeOf(things.updateOne({}, { $pop: { a: 1 } }))).toBe(115);
    expect(await codeOf(things.updateOne({}, [{ $set: { a: 1 } }]))).toBe(115);
    expect(await codeOf(things.updateOne({}, { $set: { 'a.$[x]': 1 } }, { arrayFilters: [{ x: 1 }] }))).toBe(
      115,
    );
    expect(await codeOf(things.findOne({}, { projection: { a: { $slice: 1 } } }))).toBe(115);
    expect(await codeOf(things.findOne({}, { projection: { 'a.b': 1 } }))).toBe(115);
    expect(await commandCode({ mapReduce: 'x' })).toBe(59);
  });

  it('have the fields that an update renamed, also in an index', async () => {
    const things = await make(
      { _id: 1, old: 5, deep: { a: 1, b: 2 } },
      { _id: 2, old: null, now: 7 },
      { _id: 3, now: 8 },
      { _id: 4, old: [{ n: 1 }] },
    );
    await things.createIndex({ now: 1 });
    const renamed = await things.updateMany(
      {},
      { $rename: { old: 'now', 'deep.a': 'other.c' }, $set: { n: 1 } },
    );
    expect(Number(renamed.modifiedCount)).toBe(4);
    const found = JSON.parse(JSON.stringify(await things.find({}, { sort: { _id: 1 } }).toArray()));
    expect(found).toEqual([
      { _id: 1, now: 5, deep: { b: 2 }, other: { c: 1 }, n: 1 },
      { _id: 2, now: null, n: 1 },
      { _id: 3, now: 8, n: 1 },
      { _id: 4, now: [{ n: 1 }], n: 1 },
    ]);
    expect(await ids(things.find({ now: 5 }, { hint: { now: 1 } }))).toEqual([1]);
    const again = await things.updateMany({}, { $rename: { old: 'now', 'deep.a': 'other.c' } });
    expect([again.matchedCount, again.modifiedCount].map(Number)).toEqual([4, 0]);
    await things.updateOne({ _id: 9, old: 'x' }, { $rename: { old: 'now' } }, { upsert: true });
    expect(await things.findOne({ _id: 9 })).toEqual({ _id: new Int32(9), now: 'x' });

    const code = (update: object) => codeOf(things.updateOne({ _id: 4 }, update));
    expect(await code({ $rename: { n: 'n' } })).toBe(2);
    expect(await code({ $rename: { n: 5 } })).toBe(2);
    expect(await code({ $rename: { 'now.0': 'first' } })).toBe(2);
    expect(await code({ $rename: { n: 'now.1' } })).toBe(2);
    expect(await code({ $rename: 5 })).toBe(9);
    expect(await code({ $rename: { n: 'm' }, $set: { m: 1 } })).toBe(40);
    expect(await code({ $rename: { n: 'm' }, $inc: { n: 1 } })).toBe(40);
    expect(await code({ $rename: { n: 'm.n', m: 'k' } })).toBe(40);
    expect(await code({ $rename: { n: 'a..b' } })).toBe(56);
    expect(await code({ $rename: { n: '$m' } })).toBe(52);
    expect(await code({ $rename: { _id: 'id' } })).toBe(66);
    await things.updateOne({ _id: 4 }, { $set: { text: 'x' } });
    expect(await code({ $rename: { n: 'text.n' } })).toBe(28);
  });

  it('use a cursor in batches, which can be closed', async () => {
    const things = await make(...Array.from({ length: 250 }, (_, _id) => ({ _id })));
    expect(await things.find({}, { batchSize: 40 }).toArray()).toHaveLength(250);
    const cursor = things.find({}, { batchSize: 10 });
    await cursor.next();
    const { id } = cursor;
    await cursor.close();
    const error = await errorOf(running.db.command({ getMore: id, collection: things.collectionName }));
    expect(error.code).toBe(43);
  });

  it('return the projected fields', async () => {
    const things = await make({ _id: 1, a: { b: 1 }, list: [1, 2], n: 3 });
    const show = async (projection: object) =>
      JSON.parse(JSON.stringify(await things.findOne({}, { projection })));
    expect(await show({ a: 1 })).toEqual({ _id: 1, a: { b: 1 } });
    expect(await show({ a: 1, _id: 0 })).toEqual({ a: { b: 1 } });
    expect(await show({ _id: 1 })).toEqual({ _id: 1 });
    expect(await show({ _id: 0 })).toEqual({ a: { b: 1 }, list: [1, 2], n: 3 });
    expect(await show({ n: 0, a: false })).toEqual({ _id: 1, list: [1, 2] });
    expect(await codeOf(things.findOne({}, { projection: { a: 1, list: 0 } }))).toBe(31254);
  });

  it('group by parts of a text, with the documents of each group', async () => {
    const at = (lng: number, lat: number) => ({ type: 'Point', coordinates: [lng, lat] });
    const things = await make(
      { _id: 1, cell: 'dr5r', points: 10, at: at(1, 2) },
      { _id: 2, cell: 'dr5x', points: 20, at: at(3, 4) },
      { _id: 3, cell: 'u4pr', points: 5, at: at(7, 8) },
    );
    const found = await things
      .aggregate([
        { $match: { points: { $gt: 1 } } },
        {
          $group: {
            _id: { $substrCP: ['$cell', 0, 3] },
            count: { $sum: 1 },
            lng: { $sum: { $arrayElemAt: ['$at.coordinates', 0] } },
            first: { $min: '$_id' },
            most: { $max: { points: '$points', none: '$none' } },
          },
        },
        { $sort: { count: -1, _id: 1 } },
        { $limit: 2 },
      ])
      .toArray();
    expect(JSON.parse(JSON.stringify(found))).toEqual([
      { _id: 'dr5', count: 2, lng: 4, first: 1, most: { points: 20 } },
      { _id: 'u4p', count: 1, lng: 7, first: 3, most: { points: 5 } },
    ]);
  });
});

describe('updates', () => {
  const updated = async (doc: object, change: object, filter: object = {}) => {
    const things = await make({ _id: 1, ...doc });
    await things.updateOne(filter, change);
    const { _id, ...rest } = JSON.parse(JSON.stringify(await things.findOne({})));
    return rest;
  };

  it('push, and add what is missing', async () => {
    expect(await updated({ list: [1] }, { $push: { list: { $each: [7, [8]] }, other: 1 } })).toEqual({
      list: [1, 7, [8]],
      other: [1],
    });
    expect(await updated({ list: [{ a: 1 }] }, { $addToSet: { list: { a: 1 } } })).toEqual({
      list: [{ a: 1 }],
    });
    expect(await updated({ list: [{ a: 1, b: 1 }] }, { $addToSet: { list: { b: 1, a: 1 } } })).toEqual({
      list: [
        { a: 1, b: 1 },
        { b: 1, a: 1 },
      ],
    });
  });

  it('pull by value, by condition and by a filter with $or', async () => {
    expect(await updated({ list: [1, 5, [5], null, [null]] }, { $pull: { list: 5 } })).toEqual({
      list: [1, [5], null, [null]],
    });
    expect(await updated({ list: [1, [1], [[1]]] }, { $pull: { list: [1] } })).toEqual({ list: [1, [[1]]] });
    await expect(updated({ list: [1, 5] }, { $pull: { list: { $gte: 5 } } })).rejects.toThrow(
      'not supported',
    );
    expect(
      await updated(
        { list: [{ a: 1, b: 1 }, { a: 2 }, { b: 3 }] },
        { $pull: { list: { $or: [{ a: 1 }, { b: 3 }] } } },
      ),
    ).toEqual({ list: [{ a: 2 }] });
  });

  it('set only what the insert of an upsert needs', async () => {
    const things = await make({ _id: 1, n: 1 });
    await things.updateOne({ _id: 1 }, { $set: { n: 2 }, $setOnInsert: { made: true } }, { upsert: true });
    await things.updateOne(
      { _id: 2, kind: 'a' },
      { $set: { n: 3 }, $setOnInsert: { made: true } },
      { upsert: true },
    );
    expect(await codeOf(things.updateOne({ _id: { $in: [3] } }, { $set: { n: 1 } }, { upsert: true }))).toBe(
      115,
    );
    const shown = JSON.parse(JSON.stringify(await things.find({}, { sort: { _id: 1 } }).toArray()));
    expect(shown).toEqual([
      { _id: 1, n: 2 },
      { _id: 2, kind: 'a', n: 3, made: true },
    ]);
  });

  it('set, add to and remove fields', async () => {
    expect(await updated({ a: 5, b: { c: 2 } }, { $inc: { 'b.c': 3 }, $unset: { a: '' } })).toEqual({
      b: { c: 5 },
    });
    expect(await updated({ a: 5 }, { $min: { a: 3 }, $max: { b: 1 }, $unset: { c: '' } })).toEqual({
      a: 3,
      b: 1,
    });
    expect(
      await updated({ list: [1] }, { $set: { 'list.1': 9 }, $addToSet: { tags: { $each: ['x', 'x'] } } }),
    ).toEqual({ list: [1, 9], tags: ['x'] });
    await expect(updated({ list: [1] }, { $set: { 'list.2': 9 } })).rejects.toThrow('beyond the end');
    expect(await updated({ list: [1, { a: 1 }] }, { $unset: { 'list.0': '', 'list.1.a': '' } })).toEqual({
      list: [null, {}],
    });
  });

  it('insert new fields in the order of their names', async () => {
    const things = await make({ _id: 1 });
    await things.updateOne({}, { $set: { b: 1, 'a-b': 1, 'a.z': 1, 'a.c': 1 } });
    expect(JSON.stringify(await things.findOne({}, { projection: { _id: 0 } }))).toBe(
      '{"a":{"c":1,"z":1},"a-b":1,"b":1}',
    );
  });

  it('fail as a whole, with MongoDB’s code', async () => {
    const things = await make({ _id: 1, s: 'x', n: 1 });
    const code = async (change: object) => await codeOf(things.updateOne({}, change));
    expect(await code({ $set: { n: 2 }, $inc: { s: 1 } })).toBe(14);
    expect(await code({ $set: { _id: 2 } })).toBe(66);
    expect(await code({ $set: { 's.t': 1 } })).toBe(28);
    expect(await code({ $set: { n: 1 }, $inc: { n: 1 } })).toBe(40);
    expect(await code({ $set: { n: 1, 'n.x': 1 } })).toBe(40);
    expect(await code({ $push: { s: 1 } })).toBe(2);
    expect(await code({ $set: { 'list.$.x': 1 } })).toBe(115);
    expect(await code({ $pull: { s: 1 } })).toBe(2);
    expect(await code({ $push: { list: { $each: [1], $sort: 1 } } })).toBe(115);
    expect(await code({ $bit: { n: { and: 1 } } })).toBe(115);
    expect(await code({ $mul: { n: 2 } })).toBe(115);
    expect(await code({ $pullAll: { list: [1] } })).toBe(115);
    expect(JSON.parse(JSON.stringify(await things.findOne({})))).toEqual({ _id: 1, s: 'x', n: 1 });
  });
});

describe('names with a meaning in JavaScript', () => {
  it('are ordinary data', async () => {
    const things = await make({ _id: 1, own: true });
    const evil = JSON.parse('{"_id": 2, "__proto__": {"own": true}, "constructor": {"prototype": 1}}');
    await things.insertOne(evil);
    await things.updateOne({ _id: 1 }, { $set: { 'constructor.prototype.polluted': 1, toString: 'x' } });
    await things.updateOne({ _id: 1 }, JSON.parse('{"$set": {"__proto__.polluted": 1}}'));
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(await ids(things.find({ own: { $exists: true } }))).toEqual([1]);
    expect(await ids(things.find({ hasOwnProperty: { $exists: true } }))).toEqual([]);
    expect(await ids(things.find({ 'constructor.prototype.polluted': 1 }))).toEqual([1]);
    expect(await ids(things.find(JSON.parse('{"__proto__.own": true}')))).toEqual([2]);
  });
});

const at = (lng: number, lat: number) => ({ type: 'Point', coordinates: [lng, lat] });
describe('points', () => {
  it('are found by distance', async () => {
    const places = await make(
      { _id: 1, at: at(8.0, 50) },
      { _id: 2, at: at(8.1, 50) },
      { _id: 3, at: at(-74, 40.7) },
      { _id: 4, at: at(179.9, 0) },
      { _id: 5 },
    );
    const near = (center: object, $maxDistance: number) => ({
      at: { $nearSphere: { $geometry: center, $maxDistance } },
    });
    expect(await codeOf(places.find(near(at(8, 50), 1)).toArray())).toBe(291);
    await places.createIndex({ at: '2dsphere' });
    expect(await ids(places.find(near(at(8.09, 50), 20_000)))).toEqual([2, 1]);
    expect(await ids(places.find({ ...near(at(8.09, 50), 20_000), _id: { $lt: 2 } }))).toEqual([1]);
    expect(await ids(places.find(near(at(-179.9, 0), 50_000)))).toEqual([4]);
    expect(await codeOf(places.aggregate([{ $match: near(at(8, 50), 1) }]).toArray())).toBe(115);
    expect(await codeOf(places.insertOne({ _id: 6, at: { type: 'Point', coordinates: [200, 0] } }))).toBe(
      16755,
    );
  });

  it('are found in a circle on the sphere', async () => {
    const places = await make(
      ...[at(8.0, 50), at(8.1, 50), at(-74, 40.7), at(179.9, 0), at(0, 89.9)].map((point, _id) => ({
        _id,
        at: point,
      })),
      { _id: 9 },
    );
    const circle = (center: number[], radius: number) => ({
      at: { $geoWithin: { $centerSphere: [center, radius] } },
    });
    const check = async () => {
      const inside = async (center: number[], meters: number) =>
        await ids(places.find(circle(center, meters / 6378100), { sort: { _id: 1 } }));
      expect(await inside([8.1, 50], 10_000)).toEqual([0, 1]);
      expect(await inside([8.1, 50], 7_000)).toEqual([1]);
      expect(await inside([-179.9, 0], 50_000)).toEqual([3]);
      expect(await inside([180, 89.9], 50_000)).toEqual([4]);
      expect(await inside([0, 45], 8_000_000)).toEqual([0, 1, 2, 4]);
    };
    await check();
    await places.createIndex({ at: '2dsphere' });
    await check();
    const { queryPlanner } = await places.find(circle([8, 50], 0.01)).explain();
    expect(queryPlanner.winningPlan.inputStage.indexName).toBe('at_2dsphere');
    const code = async (shape: object) => await codeOf(places.find({ at: { $geoWithin: shape } }).toArray());
    expect(await code({ $geometry: { type: 'Polygon', coordinates: [] } })).toBe(115);
    expect(await code({ $centerSphere: [[8, 50], -1] })).toBe(2);
    expect(await code({ $centerSphere: [[200, 50], 1] })).toBe(2);
  });
});
