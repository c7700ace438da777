import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BSON } from 'mongodb';
import { Engine } from '../src/engine.ts';
import { dump, restore, verify } from '../src/files.ts';
import { Storage } from '../src/storage.ts';
import { createFilledFolder } from './filled-folder.ts';
import { newFolder } from './server.ts';

describe('the files', () => {
  it('are verified, and damage is detected', async () => {
    const directory = await createFilledFolder();
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
    expect(await dump(await createFilledFolder(), target)).toEqual(['town.a/b', 'town.people']);
    const files = readdirSync(target, { recursive: true, withFileTypes: true });
    expect(files.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([
      'a%2Fb.bson',
      'a%2Fb.metadata.json',
      'people.bson',
      'people.metadata.json',
    ]);
    expect(readFileSync(join(target, 'town', 'a%2Fb.bson'))).toHaveLength(0);
    // A file consists of the documents only, with the BSON types with which they were stored.
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

  it('are loaded into memory again after a failed transaction, which drops its changes', async () => {
    const directory = await createFilledFolder();
    const storage = new Storage(directory, Number.POSITIVE_INFINITY);
    const engine = new Engine(storage);
    const people = engine.collection('town.people');
    const [ann] = people.stored;
    if (!ann) throw new Error('the collection is empty');
    engine.replace(people, ann, { _id: 1, name: 'anna' });
    engine.insert(engine.collection('town.dogs'), { _id: 1 });
    await expect(storage.flushed()).rejects.toMatchObject({ code: 14031 });
    const names = [...engine.collection('town.people').stored].map(({ doc }) => doc.name);
    expect(names).toEqual(['ann', 'bob']);
    expect([...engine.collections.keys()]).toEqual(['town.a/b', 'town.people']);
    await storage.close();
  });

  it('can be restored from a dump, but not into a folder that already has files', async () => {
    const [directory, target, moved] = [await createFilledFolder(), newFolder(), newFolder()];
    await dump(directory, target);
    expect(await restore(moved, target)).toEqual(['town.a/b', 'town.people']);
    expect(await verify(moved)).toEqual(await verify(directory));
    const again = newFolder();
    await dump(moved, again);
    const people = (of: string) => readFileSync(join(of, 'town', 'people.bson'));
    expect(people(again)).toEqual(people(target));
    await expect(restore(moved, target)).rejects.toThrow('already exists');
  });
});
