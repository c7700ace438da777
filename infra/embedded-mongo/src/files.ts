import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EJSON } from 'bson';
import { type Collection, Engine } from './engine.ts';
import { Storage } from './storage.ts';
import { encode } from './values.ts';

async function collectionsIn<T>(directory: string, read: (collection: Collection) => T): Promise<T[]> {
  if (!statSync(join(directory, 'data'), { throwIfNoEntry: false }))
    throw new Error(`${directory} holds no data`);
  const storage = new Storage(directory);
  try {
    return [...new Engine(storage).collections.values()].map(read);
  } finally {
    await storage.close();
  }
}

export type Report = { namespace: string; documents: number; indexes: number; problems: string[] };

/** Reads all of a folder, and checks that the documents keep to the unique indexes. */
export function verify(directory: string): Promise<Report[]> {
  return collectionsIn(directory, (collection) => {
    const problems: string[] = [];
    for (const stored of collection.stored) {
      try {
        collection.checkedKeysOf(stored.doc, stored);
      } catch (error) {
        problems.push(String(error));
      }
    }
    const { namespace, stored, indexes } = collection;
    return { namespace, documents: stored.size, indexes: indexes.length, problems };
  });
}

/** Writes a folder as mongodump would, for mongorestore to read. */
export function dump(directory: string, target: string): Promise<string[]> {
  return collectionsIn(directory, ({ namespace, stored, indexes }) => {
    const [db = '', ...rest] = namespace.split('.');
    const collectionName = rest.join('.');
    mkdirSync(join(target, db), { recursive: true });
    const file = join(target, db, encodeURIComponent(collectionName));
    writeFileSync(`${file}.bson`, Buffer.concat([...stored].map(({ doc }) => encode(doc))));
    const specs = indexes.map(({ spec }) => spec);
    const metadata = { options: {}, indexes: specs, collectionName, type: 'collection' };
    writeFileSync(`${file}.metadata.json`, EJSON.stringify(metadata, { relaxed: false }));
    return namespace;
  });
}
