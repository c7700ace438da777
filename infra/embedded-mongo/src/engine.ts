import { ObjectId } from 'bson';
import { ServerError } from './errors.ts';
import { completeSpec, Index, type Stored } from './indexes.ts';
import type { Storage } from './storage.ts';
import { type Doc, decode, encode, isDoc, numberOf, typeName } from './values.ts';

const FORMAT = 1;
const FORMAT_KEY = Buffer.from('format');
const SESSION_LIFETIME = 30 * 60 * 1000;
const ID_INDEX: Doc = { v: 2, key: { _id: 1 }, name: '_id_' };

/** One collection in memory: its documents in the order they were stored, and its indexes, `_id` first. */
export class Collection {
  readonly namespace: string;
  readonly stored = new Set<Stored>();
  readonly indexes: Index[];
  /** What stands for it on the disk; 0 as long as it does not exist. */
  number = 0;
  nextId = 1;

  constructor(namespace: string, specs = [ID_INDEX]) {
    this.namespace = namespace;
    this.indexes = specs.map((spec) => new Index(spec));
  }

  keysOf(doc: Doc): string[][] {
    return this.indexes.map((index) => index.keysOf(doc));
  }

  /** As keysOf, for a document that is to stand as `stored`: one index after the other may refuse it. */
  checkedKeysOf(doc: Doc, stored: Stored): string[][] {
    return this.indexes.map((index) => {
      const keys = index.keysOf(doc);
      index.checkUnique(this.namespace, keys, doc, stored);
      return keys;
    });
  }

  /** Takes in a document in the place of what stood there, or without one takes that away. */
  put(stored: Stored, doc: Doc | undefined, keys: string[][]): void {
    const before = this.stored.has(stored) ? this.keysOf(stored.doc) : [];
    for (const [i, index] of this.indexes.entries()) index.move(stored, before[i] ?? [], keys[i] ?? []);
    if (doc) {
      stored.doc = doc;
      this.stored.add(stored);
    } else this.stored.delete(stored);
    this.nextId = Math.max(this.nextId, stored.id + 1);
  }

  /** Where the catalogue keeps this collection or, with its number, one of its documents. */
  keyOnDisk(id?: number): Buffer {
    const key = Buffer.allocUnsafe(id === undefined ? 4 : 10);
    key.writeUInt32BE(this.number);
    if (id !== undefined) key.writeUIntBE(id, 4, 6);
    return key;
  }
}

/** The databases: all that is stored, in memory, with every change written through to the storage. */
export class Engine {
  readonly storage: Storage;
  readonly collections = new Map<string, Collection>();
  /** Of each session the number of its last write, the reply to that, and when it was given. */
  readonly #sessions = new Map<string, Doc>();
  #nextCollection = 1;

  constructor(storage: Storage) {
    this.storage = storage;
    this.#load();
    // What memory holds beyond the disk was never acknowledged: the disk is right.
    storage.onFailure = () => this.#load();
  }

  #load(): void {
    this.collections.clear();
    this.#sessions.clear();
    const byNumber = new Map<number, Collection>();
    let format: unknown;
    for (const { key, value } of this.storage.entries('catalogue')) {
      const entry = decode(value);
      if (key.equals(FORMAT_KEY)) {
        format = entry.format;
        continue;
      }
      const number = key.readUInt32BE();
      const specs = Array.isArray(entry.indexes) ? entry.indexes.filter(isDoc) : [];
      const collection = new Collection(String(entry.namespace), specs);
      collection.number = number;
      byNumber.set(number, collection);
      this.collections.set(collection.namespace, collection);
      this.#nextCollection = Math.max(this.#nextCollection, number + 1);
    }
    if (format === undefined) this.storage.write('catalogue', FORMAT_KEY, encode({ format: FORMAT }));
    else if (format !== FORMAT)
      throw new Error(`the files have format ${format}; this version reads format ${FORMAT}`);
    for (const { key, value } of this.storage.entries('documents')) {
      const collection = byNumber.get(key.readUInt32BE());
      if (!collection) throw new Error('the files hold a document of no collection in the catalogue');
      const doc = decode(value);
      collection.put({ id: key.readUIntBE(4, 6), doc }, doc, collection.keysOf(doc));
    }
    for (const { key, value } of this.storage.entries('sessions')) {
      this.#sessions.set(key.toString('latin1'), decode(value));
    }
  }

  /** The collection of a name, which may not exist yet. */
  collection(namespace: string): Collection {
    return this.collections.get(namespace) ?? new Collection(namespace);
  }

  /** Makes a collection exist, as its first document and index do. */
  create(collection: Collection): void {
    if (collection.number > 0) return;
    checkNamespace(collection.namespace);
    collection.number = this.#nextCollection++;
    this.collections.set(collection.namespace, collection);
    this.#saveCatalogue(collection);
  }

  #saveCatalogue(collection: Collection): void {
    const indexes = collection.indexes.map(({ spec }) => spec);
    const entry = encode({ namespace: collection.namespace, indexes });
    this.storage.write('catalogue', collection.keyOnDisk(), entry);
  }

  /** Stores a new document, giving it an `_id` when it has none. */
  insert(collection: Collection, given: Doc): Doc {
    const doc = withId(given);
    this.create(collection);
    this.#put(collection, { id: collection.nextId, doc }, doc);
    return doc;
  }

  /** Replaces a stored document; false when that changes nothing. */
  replace(collection: Collection, stored: Stored, doc: Doc): boolean {
    if (same(doc, stored.doc)) return false;
    this.#put(collection, stored, doc);
    return true;
  }

  remove(collection: Collection, stored: Stored): void {
    this.#put(collection, stored);
  }

  #put(collection: Collection, stored: Stored, doc?: Doc): void {
    const keys = doc ? collection.checkedKeysOf(doc, stored) : [];
    this.storage.write('documents', collection.keyOnDisk(stored.id), doc && encode(doc));
    collection.put(stored, doc, keys);
  }

  drop(collection: Collection): void {
    for (const { id } of collection.stored) this.storage.write('documents', collection.keyOnDisk(id));
    this.storage.write('catalogue', collection.keyOnDisk());
    this.collections.delete(collection.namespace);
  }

  /** Makes an index, unless the same one is there already. */
  createIndex(collection: Collection, given: Doc): void {
    const index = new Index(completeSpec(given));
    this.create(collection);
    for (const other of collection.indexes) {
      const sameKey = same(other.spec.key, index.spec.key);
      if (sameKey && (other.name === '_id_' || same(other.spec, index.spec))) return;
      const clash = `An index with that name or key exists with other options: ${other.name}`;
      if (sameKey) throw new ServerError(85, clash);
      if (other.name === index.name) throw new ServerError(86, clash);
    }
    for (const stored of collection.stored) {
      const keys = index.keysOf(stored.doc);
      index.checkUnique(collection.namespace, keys, stored.doc, stored);
      index.move(stored, [], keys);
    }
    collection.indexes.push(index);
    this.#saveCatalogue(collection);
  }

  dropIndex(collection: Collection, index: Index): void {
    collection.indexes.splice(collection.indexes.indexOf(index), 1);
    this.#saveCatalogue(collection);
  }

  /** The answer that a numbered write of a session has already had. */
  recall(session: string, number: number): Doc | undefined {
    const last = this.#sessions.get(session);
    const seen = numberOf(last?.number) ?? -1;
    if (seen < number) return undefined;
    if (seen === number && isDoc(last?.reply)) return last.reply;
    throw new ServerError(225, `txnNumber ${number} is too old: ${seen} has been seen in this session`);
  }

  /** Keeps the answer of a numbered write, in the same transaction as the write. */
  remember(session: string, number: number, reply: Doc): void {
    const entry = { number, reply, at: Date.now() };
    this.#sessions.set(session, entry);
    this.storage.write('sessions', Buffer.from(session, 'latin1'), encode(entry));
  }

  /** Removes what is past its time: documents by their indexes, answers of sessions long gone. */
  sweep(now = Date.now()): void {
    for (const [session, { at }] of this.#sessions) {
      if (now - (numberOf(at) ?? 0) < SESSION_LIFETIME) continue;
      this.#sessions.delete(session);
      this.storage.write('sessions', Buffer.from(session, 'latin1'));
    }
    for (const collection of this.collections.values()) {
      for (const index of collection.indexes) {
        for (const stored of index.expiredAt(now)) this.remove(collection, stored);
      }
    }
  }
}

const same = (a: unknown, b: unknown) => Buffer.compare(encode({ value: a }), encode({ value: b })) === 0;

/** The document with an `_id` that can identify it as its first field. */
function withId({ _id = new ObjectId(), ...rest }: Doc): Doc {
  const type = typeName(_id);
  if (type === 'array' || type === 'regex') throw new ServerError(53, `The '_id' cannot be of type ${type}`);
  const names = isDoc(_id) ? Object.keys(_id) : [];
  if (names.some((name) => name.startsWith('$'))) throw new ServerError(52, "_id may not contain '$' fields");
  return { _id, ...rest };
}

function checkNamespace(namespace: string): void {
  const [db = '', ...rest] = namespace.split('.');
  const name = rest.join('.');
  const invalid = /^$|[/\\ "$*<>:|?\0]/.test(db) || /^$|^\.|^system\.|[$\0]/.test(name);
  if (!invalid && db.length < 64 && Buffer.byteLength(namespace) < 256) return;
  throw new ServerError(73, `Invalid namespace specified '${namespace}'`);
}
