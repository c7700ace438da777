import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith, needBacking } from '@wayquest/testing';
import { BSON, MongoClient } from 'mongodb';
import { Engine } from '../src/engine.ts';
import { dump, restore, verify } from '../src/files.ts';
import { Storage } from '../src/storage.ts';
import { newFolder } from './server.ts';

async function fill(): Promise<string> {
  const directory = newFolder();
  const storage = new Storage(directory);
  const engine = new Engine(storage);
  engine.create(engine.collection('town.a/b'));
  const people = engine.collection('town.people');
  engine.createIndex(people, { key: { name: 1 }, name: 'name_1', unique: true });
  engine.insert(people, { _id: 1, name: 'ann', n: new BSON.Long(5) });
  engine.insert(people, { _id: 2, name: 'bob', at: new Date(5) });
  await storage.close();
  return directory;
}

describe('the files', () => {
  it('are found sound, and found out when they are not', async () => {
    const directory = await fill();
    expect(await verify(directory)).toEqual([
      'town.a/b: 0 documents, 1 indexes',
      'town.people: 2 documents, 2 indexes',
    ]);
    const storage = new Storage(directory);
    const [first] = [...storage.entries()].slice(-1);
    const copy = Buffer.from(first?.key ?? []);
    copy[copy.length - 1] = 99;
    storage.write(copy, BSON.serialize({ _id: 3, name: 'ann' }));
    await storage.close();
    await expect(verify(directory)).rejects.toThrow('E11000');
  });

  it('can be dumped in the layout of mongodump', async () => {
    const target = newFolder();
    expect(await dump(await fill(), target)).toEqual(['town.a/b', 'town.people']);
    const files = readdirSync(target, { recursive: true, withFileTypes: true });
    expect(files.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([
      'a%2Fb.bson',
      'a%2Fb.metadata.json',
      'people.bson',
      'people.metadata.json',
    ]);
    expect(readFileSync(join(target, 'town', 'a%2Fb.bson'))).toHaveLength(0);
    // A file of documents is nothing but the documents, each with the types that it was stored with.
    expect(readFileSync(join(target, 'town', 'people.bson'))).toEqual(
      Buffer.concat([
        BSON.serialize({ _id: 1, name: 'ann', n: new BSON.Long(5) }),
        BSON.serialize({ _id: 2, name: 'bob', at: new Date(5) }),
      ]),
    );
    // Metadata is canonical extended JSON.
    expect(JSON.parse(readFileSync(join(target, 'town', 'people.metadata.json'), 'utf8'))).toEqual({
      options: {},
      indexes: [
        { v: { $numberInt: '2' }, key: { _id: { $numberInt: '1' } }, name: '_id_' },
        { v: { $numberInt: '2' }, key: { name: { $numberInt: '1' } }, name: 'name_1', unique: true },
      ],
      collectionName: 'people',
      type: 'collection',
    });
  });

  it('are what counts where a transaction fails: memory goes back to them', async () => {
    const directory = await fill();
    const storage = new Storage(directory, Number.POSITIVE_INFINITY);
    const engine = new Engine(storage);
    const people = engine.collection('town.people');
    const [ann] = people.stored;
    if (!ann) throw new Error('nobody is stored');
    engine.replace(people, ann, { _id: 1, name: 'anna' });
    engine.insert(engine.collection('town.dogs'), { _id: 1 });
    await expect(storage.flushed()).rejects.toMatchObject({ code: 14031 });
    const names = [...engine.collection('town.people').stored].map(({ doc }) => doc.name);
    expect(names).toEqual(['ann', 'bob']);
    expect([...engine.collections.keys()]).toEqual(['town.a/b', 'town.people']);
    await storage.close();
  });

  it('can be taken in again from a dump, once', async () => {
    const [directory, target, moved] = [await fill(), newFolder(), newFolder()];
    await dump(directory, target);
    expect(await restore(moved, target)).toEqual(['town.a/b', 'town.people']);
    expect(await verify(moved)).toEqual(await verify(directory));
    const again = newFolder();
    await dump(moved, again);
    const people = (of: string) => readFileSync(join(of, 'town', 'people.bson'));
    expect(people(again)).toEqual(people(target));
    await expect(restore(moved, target)).rejects.toThrow('is there already');
  });
});

(await describeWith('mongodb'))('a small install', () => {
  it('can be moved to MongoDB, by mongorestore or by hand', async () => {
    const url = await needBacking('mongodb');
    const target = newFolder();
    await dump(await fill(), target);
    const client = await MongoClient.connect(url);
    const people = client.db('town').collection('people');
    await client.db('town').dropDatabase();
    if (spawnSync('mongorestore', ['--uri', url, target]).error) {
      // Where the tool is not installed its work is done as its format asks for.
      const bytes = readFileSync(join(target, 'town', 'people.bson'));
      for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at)) {
        await people.insertOne(BSON.deserialize(bytes.subarray(at, at + bytes.readInt32LE(at))));
      }
      const { indexes } = BSON.EJSON.parse(
        readFileSync(join(target, 'town', 'people.metadata.json'), 'utf8'),
      );
      for (const { key, v: _, ...options } of indexes.slice(1)) await people.createIndex(key, options);
    }
    expect(await people.find({}, { sort: { name: 1 } }).toArray()).toMatchObject([
      { name: 'ann', n: 5 },
      { name: 'bob' },
    ]);
    expect((await people.indexes()).map(({ name }) => name)).toEqual(['_id_', 'name_1']);
    await client.close();
  });
});
