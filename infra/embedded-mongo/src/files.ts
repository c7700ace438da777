import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EJSON } from 'bson';
import { Engine } from './engine.ts';
import { Storage } from './storage.ts';
import { type Doc, decode, encode, isDoc } from './values.ts';

async function withEngine<T>(directory: string, run: (engine: Engine) => T): Promise<T> {
  const storage = new Storage(directory);
  try {
    const result = run(new Engine(storage));
    await storage.flushed();
    return result;
  } finally {
    await storage.close();
  }
}

export type Report = { namespace: string; documents: number; indexes: number; problems: string[] };

/** Reads all of a folder and checks that documents and indexes agree. */
export function verify(directory: string): Promise<Report[]> {
  if (!statSync(join(directory, 'data'), { throwIfNoEntry: false }))
    throw new Error(`${directory} holds no data`);
  return withEngine(directory, ({ collections }) =>
    [...collections.values()].map((collection) => {
      const problems: string[] = [];
      const expected = collection.indexes.map(() => 0);
      for (const stored of collection.stored) {
        const keys = collection.keysOf(stored.doc);
        for (const [i, each] of keys.entries()) expected[i] = (expected[i] ?? 0) + each.length;
        try {
          collection.checkUnique(stored.doc, keys, stored);
        } catch (error) {
          problems.push(String(error));
        }
      }
      for (const [i, index] of collection.indexes.entries()) {
        const found = [...index.contents()];
        const right = found.every(([key, stored]) => index.keysOf(stored.doc).includes(key));
        if (!right || found.length !== expected[i])
          problems.push(`the index ${index.name} disagrees with the documents`);
      }
      const { namespace, stored, indexes } = collection;
      return { namespace, documents: stored.size, indexes: indexes.length, problems };
    }),
  );
}

/** Writes a folder as mongodump would, for mongorestore to read. */
export function dump(directory: string, target: string): Promise<string[]> {
  return withEngine(directory, ({ collections }) =>
    [...collections.values()].map(({ namespace, stored, indexes }) => {
      const dot = namespace.indexOf('.');
      const [db, name] = [namespace.slice(0, dot), namespace.slice(dot + 1)];
      mkdirSync(join(target, db), { recursive: true });
      const file = join(target, db, encodeURIComponent(name));
      writeFileSync(`${file}.bson`, Buffer.concat([...stored].map(({ doc }) => encode(doc))));
      const metadata = {
        options: {},
        indexes: indexes.map(({ spec }) => spec),
        collectionName: name,
        type: 'collection',
      };
      writeFileSync(`${file}.metadata.json`, EJSON.stringify(metadata, { relaxed: false }));
      return namespace;
    }),
  );
}

function* documentsIn(bytes: Buffer): Generator<Doc> {
  for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at)) {
    yield decode(bytes.subarray(at, at + bytes.readInt32LE(at)));
  }
}

/** Takes in what mongodump or `dump` wrote; collections that are there already are an error. */
export function restore(directory: string, source: string): Promise<string[]> {
  return withEngine(directory, (engine) =>
    readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.bson'))
      .map((path) => {
        const [db = '', file = ''] = path.slice(0, -'.bson'.length).split('/');
        const namespace = `${db}.${decodeURIComponent(file)}`;
        if (engine.collections.has(namespace)) throw new Error(`${namespace} is there already`);
        const collection = engine.ensure(namespace);
        const metadata: unknown = EJSON.parse(
          readFileSync(join(source, db, `${file}.metadata.json`), 'utf8'),
        );
        const specs: unknown[] = isDoc(metadata) && Array.isArray(metadata.indexes) ? metadata.indexes : [];
        for (const spec of specs) if (isDoc(spec)) engine.createIndex(collection, spec);
        for (const doc of documentsIn(readFileSync(join(source, path)))) engine.insert(collection, doc);
        return namespace;
      }),
  );
}
