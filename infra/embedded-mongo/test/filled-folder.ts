import { BSON } from 'mongodb';
import { Engine } from '../src/engine.ts';
import { Storage } from '../src/storage.ts';
import { newFolder } from './server.ts';

/** Creates a folder with an empty collection, and one with two documents and an index; returns its path. */
export async function createFilledFolder(): Promise<string> {
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
