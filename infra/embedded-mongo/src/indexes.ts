import { EJSON } from 'bson';
import { notSupported, ServerError } from './errors.ts';
import { type Box, type Point, pointOf } from './geo.ts';
import { compileFilter, type Matcher } from './matcher.ts';
import { AFTER_ALL, bracketOf, EMPTY_ARRAY_KEY, invert, keyOf, NULL_KEY } from './order.ts';
import { visitPath } from './paths.ts';
import { SortedKeys } from './sorted-keys.ts';
import { type Doc, isDoc, numberOf, own, put } from './values.ts';

/** A stored document. Its `doc` is replaced, never changed. */
export type Stored = { readonly id: number; doc: Doc };
export type IndexField = { path: string; parts: string[]; descending: boolean; geo: boolean };

const OPTIONS = new Set(
  'v key name unique sparse partialFilterExpression expireAfterSeconds background 2dsphereIndexVersion'.split(
    ' ',
  ),
);

const cannot = (why: string) => new ServerError(67, why);

function parseFields(key: unknown): IndexField[] {
  if (!isDoc(key) || Object.keys(key).length === 0) throw cannot('Index keys cannot be empty.');
  const fields = Object.entries(key).map(([path, kind]): IndexField => {
    const parts = path.split('.');
    const [direction, geo] = [numberOf(kind), kind === '2dsphere'];
    if (parts.includes('')) throw cannot('Index keys cannot contain an empty field.');
    if (path.includes('$**') || (typeof kind === 'string' && !geo))
      throw notSupported(`an index of kind ${kind}`);
    if (path.startsWith('$')) throw cannot(`Index key contains an illegal field name: ${path}`);
    if (!geo && !direction) throw cannot(`Values in the index key pattern must be non-zero numbers: ${path}`);
    return { path, parts, descending: (direction ?? 1) < 0, geo };
  });
  if (fields.length > 1 && fields.some(({ geo }) => geo)) throw notSupported('a compound 2dsphere index');
  return fields;
}

type FieldKeys = { keys: string[]; many: boolean; missing: boolean };

/** The keys of one field that an index holds: one for each element where an array is on the way. */
function fieldKeys(doc: Doc, parts: string[]): FieldKeys {
  const [first = ''] = parts;
  const direct = parts.length === 1 ? own(doc, first) : undefined;
  if (parts.length === 1 && !Array.isArray(direct)) {
    return { keys: [keyOf(direct)], many: false, missing: direct === undefined };
  }
  const keys = new Set<string>();
  let [many, missing] = [false, true];
  visitPath(doc, parts, (value, exact) => {
    missing &&= value === undefined;
    const isList = Array.isArray(value) && !exact;
    many ||= isList;
    if (!isList) keys.add(keyOf(value));
    else if (value.length === 0) keys.add(EMPTY_ARRAY_KEY);
    else for (const item of value) keys.add(keyOf(item));
    return false;
  });
  if (keys.size === 0) return { keys: [NULL_KEY], many: true, missing };
  return { keys: [...keys], many: many || keys.size > 1, missing };
}

const CELL = 0.25;
const cellOf = ([lng, lat]: Point) => `${Math.floor(lng / CELL)},${Math.floor(lat / CELL)}`;
/** Beyond so many cells a look through all of the index is cheaper. */
const MAX_CELLS = 4096;

/** One index: a hash of its keys to documents, and the keys in order. */
export class Index {
  readonly spec: Doc;
  readonly name: string;
  readonly fields: IndexField[];
  readonly unique: boolean;
  readonly sparse: boolean;
  readonly geo: boolean;
  readonly partial: Doc | undefined;
  readonly expireAfterSeconds: number | undefined;
  /** Some document has several keys: bounds of one field must not be joined, and documents turn up twice. */
  multikey = false;
  readonly #includes: Matcher | undefined;
  readonly #entries = new Map<string, Stored | Set<Stored>>();
  #order: SortedKeys | undefined;

  constructor(spec: Doc) {
    const { name, key, unique, sparse, partialFilterExpression: partial, expireAfterSeconds: expiry } = spec;
    this.spec = spec;
    this.fields = parseFields(key);
    const unknown = Object.keys(spec).find((option) => !OPTIONS.has(option));
    if (unknown) throw notSupported(`the index option ${unknown}`);
    if (typeof name !== 'string' || name === '') throw cannot('an index needs a name');
    if (partial !== undefined && !isDoc(partial)) throw cannot('partialFilterExpression must be an object');
    if (partial && sparse) throw cannot('cannot mix partialFilterExpression and sparse options');
    this.name = name;
    this.unique = unique === true || numberOf(unique) === 1 || name === '_id_';
    this.sparse = sparse === true || numberOf(sparse) === 1;
    this.geo = this.fields[0]?.geo === true;
    this.partial = partial;
    this.#includes = partial && compileFilter(partial);
    this.expireAfterSeconds = numberOf(expiry);
    if (expiry === undefined) return;
    if (!((this.expireAfterSeconds ?? -1) >= 0))
      throw cannot('expireAfterSeconds must be a non-negative number');
    if (this.fields.length > 1) throw cannot('TTL indexes are single-field indexes');
  }

  /** The keys under which a document stands in this index; none when it leaves the document out. */
  keysOf(doc: Doc): string[] {
    if (this.#includes && !this.#includes(doc)) return [];
    if (this.geo) return this.#cellsOf(doc);
    let combined: string[] | undefined;
    let allMissing = true;
    let arrays = 0;
    for (const { parts, descending, path } of this.fields) {
      const { keys, many, missing } = fieldKeys(doc, parts);
      allMissing &&= missing;
      if (many) this.multikey = true;
      if (keys.length > 1 && ++arrays > 1)
        throw new ServerError(171, `cannot index parallel arrays [${path}]`);
      const ends = descending ? keys.map(invert) : keys;
      combined = combined ? combined.flatMap((start) => ends.map((end) => start + end)) : ends;
    }
    return (this.sparse && allMissing) || !combined ? [] : combined;
  }

  #cellsOf(doc: Doc): string[] {
    const cells = new Set<string>();
    for (const { parts, path } of this.fields) {
      visitPath(doc, parts, (value) => {
        if (value === undefined || value === null) return false;
        const point = pointOf(value);
        if (!point)
          throw new ServerError(16755, `Can't extract geo keys: ${path} is not a point on the earth`);
        cells.add(cellOf(point));
        return false;
      });
    }
    if (cells.size > 1) this.multikey = true;
    return [...cells];
  }

  /** Fails when another document than `self` holds one of the keys of a unique index. */
  checkUnique(namespace: string, keys: string[], doc: Doc, self?: Stored): void {
    if (!this.unique) return;
    for (const key of keys) {
      const holder = this.#entries.get(key);
      if (holder !== undefined && holder !== self) throw this.#duplicate(namespace, doc);
    }
  }

  #duplicate(namespace: string, doc: Doc): ServerError {
    const keyValue: Doc = {};
    for (const { path, parts } of this.fields) {
      visitPath(doc, parts, (value) => {
        put(keyValue, path, value ?? null);
        return true;
      });
    }
    const shown = EJSON.stringify(keyValue);
    const message = `E11000 duplicate key error collection: ${namespace} index: ${this.name} dup key: ${shown}`;
    return new ServerError(11000, message, { keyPattern: this.spec.key, keyValue });
  }

  add(stored: Stored, keys: string[]): void {
    for (const key of keys) {
      const holder = this.#entries.get(key);
      if (holder === undefined) {
        this.#entries.set(key, stored);
        this.#order?.add(key);
      } else if (holder instanceof Set) holder.add(stored);
      else if (holder !== stored) this.#entries.set(key, new Set([holder, stored]));
    }
  }

  remove(stored: Stored, keys: string[]): void {
    for (const key of keys) {
      const holder = this.#entries.get(key);
      if (holder instanceof Set && holder.delete(stored)) {
        const [only] = holder;
        if (holder.size === 1 && only) this.#entries.set(key, only);
      } else if (holder === stored) {
        this.#entries.delete(key);
        this.#order?.delete(key);
      }
    }
  }

  /** The documents under one key. */
  at(key: string): Iterable<Stored> {
    const holder = this.#entries.get(key);
    return holder === undefined ? [] : holder instanceof Set ? holder : [holder];
  }

  /** The documents between two keys, in order. */
  *between(low: string, high: string, backwards: boolean): Generator<Stored> {
    this.#order ??= SortedKeys.from(this.#entries.keys());
    for (const key of this.#order.range(low, high, backwards)) yield* this.at(key);
  }

  /** The documents whose date, or whose earliest of several, is up to a time. */
  datesUntil(due: Date): Set<Stored> {
    const [low] = bracketOf(due);
    const [from, to] = this.fields[0]?.descending
      ? [invert(keyOf(due)), invert(low) + AFTER_ALL]
      : [low, keyOf(due)];
    return new Set(this.between(from, to, false));
  }

  /** The documents with a point that may lie in a box. */
  *inBox([west, south, east, north]: Box): Generator<Stored> {
    const cells = ((east - west) / CELL + 1) * ((north - south) / CELL + 1);
    if (!(cells <= MAX_CELLS)) {
      for (const key of this.#entries.keys()) yield* this.at(key);
      return;
    }
    for (let lng = Math.floor(west / CELL); lng <= Math.floor(east / CELL); lng++) {
      for (let lat = Math.floor(south / CELL); lat <= Math.floor(north / CELL); lat++)
        yield* this.at(`${lng},${lat}`);
    }
  }

  /** Builds the order ahead of its first use. */
  prepare(): void {
    if (!this.geo) this.#order ??= SortedKeys.from(this.#entries.keys());
  }

  /** Every key with the documents under it, for checking. */
  *contents(): Generator<[string, Stored]> {
    for (const key of this.#entries.keys()) for (const stored of this.at(key)) yield [key, stored];
  }
}

/** The specification of an index as MongoDB would list it. */
export function completeSpec({ background: _, ns: _ns, v: _v, key, name: given, ...options }: Doc): Doc {
  const fields = isDoc(key) ? Object.entries(key) : [];
  const name = given ?? fields.map(([path, kind]) => `${path}_${numberOf(kind) ?? String(kind)}`).join('_');
  const version = fields.some(([, kind]) => kind === '2dsphere') ? { '2dsphereIndexVersion': 3 } : {};
  return { v: 2, key, name, ...options, ...version };
}
