import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BSON, MongoClient } from 'mongodb';
import { Engine } from '../src/engine.ts';
import { dump, verify } from '../src/files.ts';
import { Storage } from '../src/storage.ts';
import { newFolder } from './server.ts';

async function fill(): Promise<string> {
  const directory = newFolder();
  const storage = new Storage(directory);
  const engine = new Engine(storage);
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
      { namespace: 'town.people', documents: 2, indexes: 2, problems: [] },
    ]);
    const storage = new Storage(directory);
    const [first] = storage.entries('documents');
    const copy = Buffer.from(first?.key ?? []);
    copy[copy.length - 1] = 99;
    storage.write('documents', copy, BSON.serialize({ _id: 3, name: 'ann' }));
    await storage.close();
    const [report] = await verify(directory);
    expect(report?.problems.join()).toContain('E11000');
  });

  it('can be dumped as mongodump does', async () => {
    const directory = await fill();
    const target = newFolder();
    expect(await dump(directory, target)).toEqual(['town.people']);
    const bytes = readFileSync(join(target, 'town', 'people.bson'));
    expect(BSON.deserialize(bytes.subarray(0, bytes.readInt32LE(0)))).toEqual({ _id: 1, name: 'ann', n: 5 });
    const metadata = BSON.EJSON.parse(readFileSync(join(target, 'town', 'people.metadata.json'), 'utf8'));
    expect(metadata).toMatchObject({
      collectionName: 'people',
      indexes: [{ name: '_id_' }, { name: 'name_1', unique: true }],
    });
  });

  const url = process.env.MONGO_URL;
  if (!url) console.warn('SKIPPED: moving to MongoDB, since MONGO_URL is not set');
  (url ? it : it.skip)('can be moved to MongoDB, by mongorestore or by hand', async () => {
    const target = newFolder();
    await dump(await fill(), target);
    const client = await MongoClient.connect(url ?? '');
    const people = client.db('town').collection('people');
    await client.db('town').dropDatabase();
    if (spawnSync('mongorestore', ['--uri', url ?? '', target]).error) {
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
