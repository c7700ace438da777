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
  it('keep their type through a round trip and an update of something else', async () => {
    const numbers = {
      i: new Int32(5),
      d: new Double(5),
      l: Long.fromNumber(5),
      big: Long.fromNumber(2 ** 40),
      half: 0.5,
    };
    const things = await make({ _id: 1, ...numbers });
    await things.updateOne({ _id: 1 }, { $set: { other: 'x' } });
    await things.updateOne({ _id: 1 }, [{ $set: { more: { $add: ['$l', 1] } } }]);
    const found = await things.findOne({ _id: 1 });
    expect(found?.i).toBeInstanceOf(Int32);
    expect(found?.d).toBeInstanceOf(Double);
    expect(found?.l).toBeInstanceOf(Long);
    expect(String(found?.big)).toBe(String(2 ** 40));
    expect(Number(found?.half)).toBe(0.5);
    expect(Number(found?.more)).toBe(6);
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
    expect(await ids(things.find({ $expr: { $gte: ['$n', Long.fromNumber(4)] } }))).toEqual([3, 4]);
  });

  it('stay whole when $inc and $mul leave them whole, and grow to long', async () => {
    const things = await make({ _id: 1, l: Long.fromNumber(5), i: 2 ** 31 - 1, d: new Double(1) });
    await things.updateOne({ _id: 1 }, { $inc: { l: 1, i: 1, d: 1 } });
    const found = await things.findOne({ _id: 1 });
    expect([found?.l, found?.i].map(String)).toEqual(['6', '2147483648']);
    expect(found?.l).toBeInstanceOf(Long);
    expect(found?.i).toBeInstanceOf(Long);
    expect(found?.d).toBeInstanceOf(Double);
    expect(await codeOf(things.updateOne({ _id: 1 }, { $inc: { l: Long.fromNumber(2 ** 53 - 1) } }))).toBe(2);
  });

  it('that cannot be held exactly are refused', async () => {
    const things = await make();
    expect(
      (await errorOf(things.insertOne({ _id: 1, n: Long.fromString('9007199254740993') }))).message,
    ).toMatch(/2\^53/);
    expect((await errorOf(things.insertOne({ _id: 1, n: new Decimal128('1.1') }))).message).toMatch(
      /Decimal128/,
    );
    expect(await things.countDocuments()).toBe(0);
  });
});

describe('the order of values', () => {
  it('is one for sorting, with and without an index', async () => {
    const text = ['', 'a', 'b', '\u{ffff}', '\u{1f600}'];
    const rest = [new ObjectId(), false, true, new Date(0), new Timestamp({ t: 1, i: 1 }), /a/];
    const values: unknown[] = [null, -1.5, 0, Long.fromNumber(7), ...text, {}, { a: 1 }, { b: 0 }, ...rest];
    const docs = values.map((v, _id) => ({ _id, v }));
    const things = await make(...docs.toReversed());
    const all = docs.map(({ _id }) => _id);
    expect(await ids(things.find({}, { sort: { v: 1 } }))).toEqual(all);
    await things.createIndex({ v: 1 });
    expect(await ids(things.find({}, { sort: { v: 1 }, hint: { v: 1 } }))).toEqual(all);
    expect(await ids(things.find({}, { sort: { v: -1 }, hint: { v: 1 } }))).toEqual(all.toReversed());
  });

  it('counts the order of keys in sub-documents', async () => {
    const things = await make({ _id: 1, v: { a: 1, b: 2 } }, { _id: 2, v: { b: 2, a: 1 } });
    expect(await ids(things.find({ v: { a: 1, b: 2 } }))).toEqual([1]);
    expect(await things.aggregate([{ $group: { _id: '$v' } }]).toArray()).toHaveLength(2);
    expect(await ids(things.find({ $expr: { $eq: ['$v', { $literal: { b: 2, a: 1 } }] } }))).toEqual([2]);
  });

  it('compares arrays element by element in expressions', async () => {
    const things = await make({ _id: 1, v: [3, 1] }, { _id: 2, v: [1, 3] });
    expect(await ids(things.find({ $expr: { $eq: ['$v', [1, 3]] } }))).toEqual([2]);
  });
});

describe('queries', () => {
  it('find by type, by name and by number', async () => {
    const things = await make(
      { _id: 1, v: 1 },
      { _id: 2, v: 'x' },
      { _id: 3, v: [1.5] },
      { _id: 4, v: null },
      { _id: 5 },
    );
    expect(await ids(things.find({ v: { $type: 'number' } }))).toEqual([1, 3]);
    expect(await ids(things.find({ v: { $type: ['string', 'null'] } }))).toEqual([2, 4]);
    expect(await ids(things.find({ v: { $type: 4 } }))).toEqual([3]);
    expect(await ids(things.find({ v: { $type: 'double' } }))).toEqual([3]);
  });

  it('read regular expressions as PCRE does, or refuse them', async () => {
    const things = await make({ _id: 1, v: 'abc\n' }, { _id: 2, v: 'ABC' }, { _id: 3, v: ['x', 'abd'] });
    expect(await ids(things.find({ v: /^abc$/ }))).toEqual([1]);
    expect(await ids(things.find({ v: { $regex: '^ab', $options: 'i' } }))).toEqual([1, 2, 3]);
    expect(await ids(things.find({ v: { $not: /^a/i } }))).toEqual([]);
    expect(await ids(things.find({ v: { $in: [/d$/, 'ABC'] } }))).toEqual([2, 3]);
    for (const pattern of ['a++', '\\Aab', '[[:alpha:]]', '(?>a)', '(']) {
      expect(await codeOf(things.find({ v: { $regex: pattern } }).toArray())).toBe(51091);
    }
    expect(await codeOf(things.find({ v: { $regex: 'a', $options: 'x' } }).toArray())).toBe(51108);
  });

  it('refuse what they do not know or do not do', async () => {
    const things = await make({ _id: 1 });
    const code = async (filter: object) => await codeOf(things.find(filter).toArray());
    expect(await code({ a: { $foo: 1 } })).toBe(2);
    expect(await code({ $foo: 1 })).toBe(2);
    expect(await code({ $where: 'true' })).toBe(115);
    expect(await code({ a: { $geoIntersects: {} } })).toBe(115);
    expect(await code({ $expr: { $foo: 1 } })).toBe(168);
    expect(await code({ $expr: { $function: {} } })).toBe(168);
    const { db } = running;
    const commandCode = async (command: object) => await codeOf(db.command(command));
    expect(await commandCode({ find: 'x', filter: {}, tailable: true })).toBe(40415);
    expect(await commandCode({ find: 'x', collation: { locale: 'de' } })).toBe(115);
    expect(await commandCode({ aggregate: 'x', pipeline: [{ $lookup: {} }], cursor: {} })).toBe(115);
    expect(await commandCode({ aggregate: 'x', pipeline: [{ $foo: {} }], cursor: {} })).toBe(40324);
    expect(await commandCode({ create: 'x', capped: true, size: 1 })).toBe(115);
    expect(await codeOf(things.updateOne({}, { $foo: { a: 1 } }))).toBe(9);
    expect(await commandCode({ mapReduce: 'x' })).toBe(59);
  });

  it('go through a cursor in batches, and end it when told to', async () => {
    const things = await make(...Array.from({ length: 250 }, (_, _id) => ({ _id })));
    expect(await things.find({}, { batchSize: 40 }).toArray()).toHaveLength(250);
    const cursor = things.find({}, { batchSize: 10 });
    await cursor.next();
    const { id } = cursor;
    await cursor.close();
    const error = await errorOf(running.db.command({ getMore: id, collection: things.collectionName }));
    expect(error.code).toBe(43);
  });

  it('give each of a projection its meaning', async () => {
    const things = await make({
      _id: 1,
      a: { b: 1, c: 2 },
      list: [1, 2, 3, 4],
      docs: [
        { x: 1, y: 1 },
        { x: 2, y: 2 },
      ],
    });
    const show = async (projection: object) =>
      JSON.parse(JSON.stringify(await things.findOne({}, { projection })));
    expect(await show({ list: { $slice: [1, 2] } })).toEqual({
      _id: 1,
      a: { b: 1, c: 2 },
      list: [2, 3],
      docs: [
        { x: 1, y: 1 },
        { x: 2, y: 2 },
      ],
    });
    expect(await show({ list: { $slice: -1 }, _id: 0, a: 0, docs: 0 })).toEqual({ list: [4] });
    expect(await show({ 'docs.x': 1 })).toEqual({ _id: 1, docs: [{ x: 1 }, { x: 2 }] });
    expect(await show({ docs: { $elemMatch: { x: 2 } }, _id: 0 })).toEqual({ docs: [{ x: 2, y: 2 }] });
    expect(await show({ _id: 0, sum: { $add: ['$a.b', '$a.c'] } })).toEqual({ sum: 3 });
    expect(await codeOf(things.findOne({}, { projection: { a: 1, list: 0 } }))).toBe(31254);
  });
});

describe('updates', () => {
  const updated = async (doc: object, change: object, filter: object = {}) => {
    const things = await make({ _id: 1, ...doc });
    await things.updateOne(filter, change);
    const { _id, ...rest } = JSON.parse(JSON.stringify(await things.findOne({})));
    return rest;
  };

  it('push with all the modifiers', async () => {
    const list = [
      { a: 2, b: 1 },
      { a: 1, b: 2 },
      { a: 1, b: 1 },
    ];
    expect(
      await updated(
        { list },
        { $push: { list: { $each: [{ a: 0, b: 9 }], $sort: { a: 1, b: -1 }, $slice: 3 } } },
      ),
    ).toEqual({
      list: [
        { a: 0, b: 9 },
        { a: 1, b: 2 },
        { a: 1, b: 1 },
      ],
    });
    expect(await updated({ list: [1, 2] }, { $push: { list: { $each: [7, 8], $position: 1 } } })).toEqual({
      list: [1, 7, 8, 2],
    });
    expect(
      await updated({ list: [3, 1] }, { $push: { list: { $each: [2], $sort: -1, $slice: -2 } } }),
    ).toEqual({ list: [2, 1] });
  });

  it('pull by value, by condition and by a filter with $or', async () => {
    expect(await updated({ list: [1, 5, 9] }, { $pull: { list: { $gte: 5 } } })).toEqual({ list: [1] });
    expect(
      await updated(
        { list: [{ a: 1, b: 1 }, { a: 2 }, { b: 3 }] },
        { $pull: { list: { $or: [{ a: 1 }, { b: 3 }] } } },
      ),
    ).toEqual({ list: [{ a: 2 }] });
    expect(await updated({ list: [1, 2, 1] }, { $pullAll: { list: [1] } })).toEqual({ list: [2] });
    expect(await updated({ list: [1, 2, 3] }, { $pop: { list: -1 } })).toEqual({ list: [2, 3] });
  });

  it('keep two positional paths apart', async () => {
    const docs = [
      { x: 1, n: 0, m: 0 },
      { x: 2, n: 0, m: 0 },
    ];
    expect(await updated({ docs }, { $inc: { 'docs.$.n': 1, 'docs.$.m': 2 } }, { 'docs.x': 2 })).toEqual({
      docs: [
        { x: 1, n: 0, m: 0 },
        { x: 2, n: 1, m: 2 },
      ],
    });
  });

  it('set only what the insert of an upsert needs', async () => {
    const things = await make({ _id: 1, n: 1 });
    await things.updateOne({ _id: 1 }, { $set: { n: 2 }, $setOnInsert: { made: true } }, { upsert: true });
    await things.updateOne(
      { _id: 2, kind: 'a' },
      { $set: { n: 3 }, $setOnInsert: { made: true } },
      { upsert: true },
    );
    const shown = JSON.parse(JSON.stringify(await things.find({}, { sort: { _id: 1 } }).toArray()));
    expect(shown).toEqual([
      { _id: 1, n: 2 },
      { _id: 2, kind: 'a', n: 3, made: true },
    ]);
  });

  it('move, multiply and date fields', async () => {
    expect(await updated({ a: 1, b: { c: 2 } }, { $rename: { a: 'b.d' }, $mul: { 'b.c': 3 } })).toEqual({
      b: { c: 6, d: 1 },
    });
    expect(typeof (await updated({}, { $currentDate: { at: true } })).at).toBe('string');
    expect(await updated({ a: 5 }, { $min: { a: 3 }, $max: { b: 1 }, $unset: { c: '' } })).toEqual({
      a: 3,
      b: 1,
    });
    expect(
      await updated({ list: [1] }, { $set: { 'list.2': 9 }, $addToSet: { tags: { $each: ['x', 'x'] } } }),
    ).toEqual({ list: [1, null, 9], tags: ['x'] });
  });

  it('fail as a whole, with the code that says why', async () => {
    const things = await make({ _id: 1, s: 'x', n: 1 });
    const code = async (change: object) => await codeOf(things.updateOne({}, change));
    expect(await code({ $set: { n: 2 }, $inc: { s: 1 } })).toBe(14);
    expect(await code({ $set: { _id: 2 } })).toBe(66);
    expect(await code({ $set: { 's.t': 1 } })).toBe(28);
    expect(await code({ $set: { n: 1 }, $inc: { n: 1 } })).toBe(40);
    expect(await code({ $set: { n: 1, 'n.x': 1 } })).toBe(40);
    expect(await code({ $push: { s: 1 } })).toBe(2);
    expect(await code({ $set: { 'list.$.x': 1 } })).toBe(2);
    expect(await code({ $bit: { n: { and: 1 } } })).toBe(115);
    expect(JSON.parse(JSON.stringify(await things.findOne({})))).toEqual({ _id: 1, s: 'x', n: 1 });
  });
});

describe('names that mean something to JavaScript', () => {
  it('are data like any other', async () => {
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

describe('points', () => {
  it('are found by distance, by box and by circle', async () => {
    const at = (lng: number, lat: number) => ({ type: 'Point', coordinates: [lng, lat] });
    const places = await make(
      { _id: 1, at: at(8.0, 50) },
      { _id: 2, at: at(8.1, 50) },
      { _id: 3, at: at(-74, 40.7) },
      { _id: 4, at: at(179.9, 0) },
      { _id: 5 },
    );
    const near = (centre: object, $maxDistance: number) => ({
      at: { $nearSphere: { $geometry: centre, $maxDistance } },
    });
    expect(await codeOf(places.find(near(at(8, 50), 1)).toArray())).toBe(291);
    await places.createIndex({ at: '2dsphere' });
    expect(await ids(places.find(near(at(8.09, 50), 20_000)))).toEqual([2, 1]);
    expect(await ids(places.find(near(at(-179.9, 0), 50_000)))).toEqual([4]);
    expect(
      await ids(
        places.find({
          at: {
            $geoWithin: {
              $box: [
                [7, 49],
                [8.05, 51],
              ],
            },
          },
        }),
      ),
    ).toEqual([1]);
    expect(
      await ids(places.find({ at: { $geoWithin: { $centerSphere: [[8.1, 50], 10 / 6378.1] } } })),
    ).toEqual([1, 2]);
    const [first] = await places
      .aggregate([{ $geoNear: { near: at(8.2, 50), distanceField: 'away', maxDistance: 10_000 } }])
      .toArray();
    expect(Math.round(Number(first?.away))).toBe(7155);
    expect(await codeOf(places.insertOne({ _id: 6, at: { type: 'Point', coordinates: [200, 0] } }))).toBe(
      16755,
    );
    expect(await codeOf(places.find({ at: { $geoWithin: { $geometry: at(0, 0) } } }).toArray())).toBe(115);
  });
});
