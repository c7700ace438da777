import { isDeepStrictEqual } from 'node:util';
import { ObjectId, serialize } from 'bson';
import { ServerError } from './errors.ts';
import { completeSpec, Index, type Stored } from './indexes.ts';
import { equal } from './order.ts';
import type { Storage } from './storage.ts';
import { type Doc, decode, encode, isDoc } from './values.ts';

const FORMAT = 2;
/** The key of the catalog's entries; collections count from 1. Its entry 0 is the format. */
const CATALOG = 0;
const ID_INDEX: Doc = { v: 2, key: { _id: 1 }, name: '_id_' };

/** A collection in memory: its documents in insertion order, and its indexes, `_id` first. */
export class Collection {
  readonly namespace: string;
  readonly stored = new Set<Stored>();
  readonly indexes: Index[];
  /** Its id on disk; 0 if it does not exist. */
  number = 0;
  nextId = 1;
  /** Whether a query without an index is rejected. */
  readonly noTableScan: boolean;

  constructor(namespace: string, specs = [ID_INDEX], noTableScan = false) {
    this.namespace = namespace;
    this.noTableScan = noTableScan;
    this.indexes = specs.map((spec) => new Index(spec, namespace));
  }

  get specs(): Doc[] {
    return this.indexes.map(({ spec }) => spec);
  }

  keysOf(doc: Doc): string[][] {
    return this.indexes.map((index) => index.keysOf(doc));
  }

  /** As keysOf, for a document that is to be stored as `stored`: each index in turn may reject it. */
  uniqueKeysOf(doc: Doc, stored: Stored): string[][] {
    return this.indexes.map((index) => index.uniqueKeysOf(doc, stored));
  }

  /** Replaces a stored document, or removes it. */
  put(stored: Stored, doc: Doc | undefined, keys: string[][]): void {
    const oldKeys = this.stored.has(stored) ? this.keysOf(stored.doc) : [];
    for (const [i, index] of this.indexes.entries()) index.move(stored, oldKeys[i] ?? [], keys[i] ?? []);
    if (doc) {
      stored.doc = doc;
      this.stored.add(stored);
    } else this.stored.delete(stored);
    this.nextId = Math.max(this.nextId, stored.id + 1);
  }
}

/** The databases: everything that is stored, in memory, with each change written through to the storage. */
export class Engine {
  readonly storage: Storage;
  readonly collections = new Map<string, Collection>();
  readonly #noTableScan: boolean;

  constructor(storage: Storage, noTableScan = false) {
    this.storage = storage;
    this.#noTableScan = noTableScan;
    this.#load();
    // What memory contains beyond the disk was never acknowledged: the disk is correct.
    storage.onFailure = () => this.#load();
  }

  #load(): void {
    this.collections.clear();
    const byNumber = new Map<number, Collection>();
    let format: unknown;
    for (const { key, value } of this.storage.entries()) {
      const [number, id, doc] = [key.readUInt32BE(), key.readUIntBE(4, 6), decode(value)];
      format ??= number + id === 0 ? doc.format : 1;
      if (format !== FORMAT) throw new Error(`the files have format ${format}; this reads format ${FORMAT}`);
      const collection = byNumber.get(number);
      if (collection) collection.put({ id, doc }, doc, collection.keysOf(doc));
      else if (number !== CATALOG) throw new Error('the files contain a document without a collection');
      else if (id > 0) byNumber.set(id, this.#enlist(doc, id));
    }
  }

  /** Loads a collection's entry of the catalog. */
  #enlist({ namespace, indexes }: Doc, number: number): Collection {
    const specs = Array.isArray(indexes) ? indexes.filter(isDoc) : [];
    const collection = new Collection(String(namespace), specs, this.#noTableScan);
    collection.number = number;
    this.collections.set(collection.namespace, collection);
    return collection;
  }

  /** The collection of a name, which may not exist yet. */
  collection(namespace: string): Collection {
    return this.collections.get(namespace) ?? new Collection(namespace, undefined, this.#noTableScan);
  }

  /** Creates a collection, as its first document or index does. */
  create(collection: Collection): void {
    if (collection.number > 0) return;
    checkNamespace(collection.namespace);
    if (this.collections.size === 0) this.storage.write(keyOnDisk(CATALOG, 0), encode({ format: FORMAT }));
    collection.number = 1 + Math.max(0, ...[...this.collections.values()].map(({ number }) => number));
    this.collections.set(collection.namespace, collection);
    this.#saveCatalog(collection);
  }

  #saveCatalog({ namespace, number, specs }: Collection): void {
    this.storage.write(keyOnDisk(CATALOG, number), encode({ namespace, indexes: specs }));
  }

  /** Stores a new document, with a generated `_id` if it has none. */
  insert(collection: Collection, document: Doc): Doc {
    const doc = withId(document);
    this.create(collection);
    this.put(collection, { id: collection.nextId, doc }, doc);
    return doc;
  }

  /** Replaces a stored document; returns false if nothing changes. */
  replace(collection: Collection, stored: Stored, doc: Doc): boolean {
    const bytes = encode(doc);
    if (Buffer.compare(bytes, serialize(stored.doc)) === 0) return false;
    this.put(collection, stored, doc, bytes);
    return true;
  }

  /** Replaces a stored document on disk and in memory, or removes it. */
  put(collection: Collection, stored: Stored, doc?: Doc, bytes = doc && encode(doc)): void {
    const keys = doc ? collection.uniqueKeysOf(doc, stored) : [];
    this.storage.write(keyOnDisk(collection.number, stored.id), bytes);
    collection.put(stored, doc, keys);
  }

  drop(collection: Collection): void {
    for (const { id } of collection.stored) this.storage.write(keyOnDisk(collection.number, id));
    this.storage.write(keyOnDisk(CATALOG, collection.number));
    this.collections.delete(collection.namespace);
  }

  /** Creates an index, unless the same one exists. */
  createIndex(collection: Collection, spec: Doc): void {
    const index = new Index(completeSpec(spec), collection.namespace);
    this.create(collection);
    for (const other of collection.indexes) {
      const sameKey = equal(other.spec.key, index.spec.key);
      if (sameKey && isDeepStrictEqual(other.spec, index.spec)) return;
      if (sameKey && other.name === '_id_') throw new ServerError(197, 'the index of _id has no options');
      const clash = `An index with that name or key exists with other options: ${other.name}`;
      if (sameKey) throw new ServerError(85, clash);
      if (other.name === index.name) throw new ServerError(86, clash);
    }
    for (const stored of collection.stored) index.move(stored, [], index.uniqueKeysOf(stored.doc, stored));
    collection.indexes.push(index);
    this.#saveCatalog(collection);
  }

  dropIndex(collection: Collection, index: Index): void {
    collection.indexes.splice(collection.indexes.indexOf(index), 1);
    this.#saveCatalog(collection);
  }

  /** Removes documents that a TTL index has expired. */
  sweep(now = Date.now()): void {
    for (const collection of this.collections.values())
      for (const index of collection.indexes)
        for (const stored of index.expiredAt(now)) this.put(collection, stored);
  }
}

function keyOnDisk(collection: number, id: number): Buffer {
  const key = Buffer.allocUnsafe(10);
  key.writeUInt32BE(collection);
  key.writeUIntBE(id, 4, 6);
  return key;
}

/** Returns the document with a valid `_id` as its first field. */
function withId({ _id = new ObjectId(), ...rest }: Doc): Doc {
  if (Array.isArray(_id)) throw new ServerError(53, "The '_id' value cannot be of type array");
  const names = isDoc(_id) ? Object.keys(_id) : [];
  if (names.some((name) => name.startsWith('$'))) throw new ServerError(52, "_id may not contain '$' fields");
  return { _id, ...rest };
}

function checkNamespace(namespace: string): void {
  const name = namespace.slice(namespace.indexOf('.') + 1);
  if (!/^$|^\.|^system\.|[$\0]/.test(name) && Buffer.byteLength(namespace) < 256) return;
  throw new ServerError(73, `Invalid namespace specified '${namespace}'`);
}
