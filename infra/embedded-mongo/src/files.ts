import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EJSON } from 'bson';
import { type Collection, Engine } from './engine.ts';
import { Storage } from './storage.ts';
import { checkStorable, type Doc, decode, encode, isDoc } from './values.ts';

async function withEngine<T>(directory: string, work: (engine: Engine) => T): Promise<T> {
  const storage = new Storage(directory);
  try {
    const result = work(new Engine(storage));
    await storage.flushed();
    return result;
  } catch (error) {
    storage.discard();
    throw error;
  } finally {
    await storage.close();
  }
}

function collectionsIn<T>(directory: string, read: (collection: Collection) => T): Promise<T[]> {
  if (!existsSync(join(directory, 'data'))) throw new Error(`${directory} holds no data`);
  return withEngine(directory, (engine) => [...engine.collections.values()].map(read));
}

/** Reads a whole folder; fails if a document violates a unique index. */
export function verify(directory: string): Promise<string[]> {
  return collectionsIn(directory, (collection) => {
    const { namespace, stored, indexes } = collection;
    for (const each of stored) collection.uniqueKeysOf(each.doc, each);
    return `${namespace}: ${stored.size} documents, ${indexes.length} indexes`;
  });
}

/** Writes a folder in the layout of mongodump, for mongorestore. */
export function dump(directory: string, target: string): Promise<string[]> {
  return collectionsIn(directory, ({ namespace, stored, specs }) => {
    const [db = '', ...rest] = namespace.split('.');
    const collectionName = rest.join('.');
    mkdirSync(join(target, db), { recursive: true });
    const file = join(target, db, encodeURIComponent(collectionName));
    writeFileSync(`${file}.bson`, Buffer.concat([...stored].map(({ doc }) => encode(doc))));
    const metadata = { options: {}, indexes: specs, collectionName, type: 'collection' };
    writeFileSync(`${file}.metadata.json`, EJSON.stringify(metadata, { relaxed: false }));
    return namespace;
  });
}

function* documentsIn(bytes: Buffer): Generator<Doc> {
  for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at))
    yield decode(bytes.subarray(at, at + bytes.readInt32LE(at)));
}

/** Restores a dump of mongodump or `dump`; existing collections are an error. */
export function restore(directory: string, source: string): Promise<string[]> {
  return withEngine(directory, (engine) =>
    readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.bson'))
      .map((path) => {
        const [db = '', file = ''] = path.slice(0, -'.bson'.length).split('/');
        const namespace = `${db}.${decodeURIComponent(file)}`;
        if (engine.collections.has(namespace)) throw new Error(`${namespace} already exists`);
        const collection = engine.collection(namespace);
        engine.create(collection);
        const metadata = EJSON.parse(readFileSync(join(source, db, `${file}.metadata.json`), 'utf8'));
        if (isDoc(metadata) && Object.keys(metadata.options ?? {}).length > 0)
          throw new Error(`${namespace} has options, which this server does not support`);
        const specs: unknown[] = isDoc(metadata) && Array.isArray(metadata.indexes) ? metadata.indexes : [];
        for (const spec of specs) if (isDoc(spec)) engine.createIndex(collection, spec);
        for (const doc of documentsIn(readFileSync(join(source, path)))) {
          checkStorable(doc);
          engine.insert(collection, doc);
        }
        return namespace;
      }),
  );
}
