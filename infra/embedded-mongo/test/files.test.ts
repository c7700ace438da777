import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BSON } from 'mongodb';
import { Engine } from '../src/engine.ts';
import { dump, restore, verify } from '../src/files.ts';
import { Storage } from '../src/storage.ts';
import { newFolder } from './server.ts';

async function fill(): Promise<string> {
  const directory = newFolder();
  const storage = new Storage(directory);
  const engine = new Engine(storage);
  const people = engine.ensure('town.people');
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

  it('can be dumped as mongodump does, and taken in again', async () => {
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
    const moved = newFolder();
    expect(await restore(moved, target)).toEqual(['town.people']);
    expect(await verify(moved)).toEqual(await verify(directory));
    await expect(restore(moved, target)).rejects.toThrow('is there already');
  });
});
