import { EJSON } from 'bson';
import { notSupported, ServerError } from './errors.ts';
import { type Box, pointOf } from './geo.ts';
import { invert, keyOf, keysAt, typeBounds } from './order.ts';
import { valueAt } from './paths.ts';
import { type Doc, isDoc, numberOf, setField } from './values.ts';

/** A stored document. Its `doc` is replaced, never modified. */
export type Stored = { readonly id: number; doc: Doc };
export type IndexField = { path: string; parts: string[]; descending: boolean; geo: boolean };

const OPTIONS = new Set('v key name unique sparse expireAfterSeconds 2dsphereIndexVersion'.split(' '));

const cannotCreateIndex = (reason: string) => new ServerError(67, reason);

function parseFields(key: unknown): IndexField[] {
  if (!isDoc(key) || Object.keys(key).length === 0) throw cannotCreateIndex('Index keys cannot be empty.');
  const fields = Object.entries(key).map(([path, kind]): IndexField => {
    const parts = path.split('.');
    const [direction, geo] = [numberOf(kind), kind === '2dsphere'];
    if (typeof kind === 'string' && !geo) throw notSupported(`an index of kind ${kind}`);
    const isValidField = parts.every((part) => /^[^$]/.test(part)) && (geo || direction);
    if (!isValidField) throw cannotCreateIndex(`'${path}' is no field, or its direction is 0 or no number`);
    return { path, parts, descending: (direction ?? 1) < 0, geo };
  });
  if (fields.length > 1 && fields.some(({ geo }) => geo)) throw notSupported('a compound 2dsphere index');
  return fields;
}

/**
 * Points are indexed by a cell of each of these grids. The size of a cell is in degrees, counted from the antimeridian and
 * the south pole. A search of a large area reads few coarse cells; a small area in a dense city contains few points.
 */
const GRIDS = [1 / 256, 1 / 32, 1 / 4] as const;
const COARSE_GRID = GRIDS[2];
const columnOf = (grid: number, lng: number) => Math.floor((lng + 180) / grid);
const rowOf = (grid: number, lat: number) => Math.floor((lat + 90) / grid);
const cellKey = (grid: number, column: number, row: number) =>
  `${grid}:${(column + 360 / grid) % (360 / grid)},${row}`;
/** Above this number of cells the next coarser grid is used. */
const MAX_CELLS_PER_GRID = 64;
/** Above this number of the coarsest cells a scan of the whole index is cheaper. */
const MAX_CELLS = 4096;

/** The number of cells of a grid that a box touches. */
function cellsIn([west, south, east, north]: Box, grid: number): number {
  const columns = columnOf(grid, east) - columnOf(grid, west) + 1;
  return columns * (rowOf(grid, north) - rowOf(grid, south) + 1);
}

/** Whether a box is so wide that all points are scanned. */
export const isNearlyGlobal = (box: Box): boolean => !(cellsIn(box, COARSE_GRID) <= MAX_CELLS);

/** The position of a key in a sorted list, or where to insert it. */
function insertionIndex(keys: string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One index: a hash of its keys to documents, and the keys in order. */
export class Index {
  readonly spec: Doc;
  readonly name: string;
  readonly fields: IndexField[];
  readonly unique: boolean;
  readonly sparse: boolean;
  readonly geo: boolean;
  readonly expireAfterSeconds: number | undefined;
  /** Some document has several keys: bounds of one field must not be intersected, and documents occur twice. */
  multikey = false;
  readonly #namespace: string;
  readonly #entries = new Map<string, Stored | Set<Stored>>();
  /** Created on first use, and maintained from then on. */
  #order: string[] | undefined;

  constructor(spec: Doc, namespace: string) {
    const { name, key, unique, sparse, expireAfterSeconds: expiry } = spec;
    this.spec = spec;
    this.#namespace = namespace;
    this.fields = parseFields(key);
    const unknown = Object.keys(spec).find((option) => !OPTIONS.has(option));
    if (unknown) throw notSupported(`the index option ${unknown}`);
    if (typeof name !== 'string' || name === '') throw cannotCreateIndex('an index needs a name');
    this.name = name;
    this.unique = unique === true || numberOf(unique) === 1 || name === '_id_';
    this.sparse = sparse === true || numberOf(sparse) === 1;
    this.geo = this.fields[0]?.geo === true;
    this.expireAfterSeconds = numberOf(expiry);
    if (this.geo && (this.unique || expiry !== undefined))
      throw notSupported('a unique or TTL 2dsphere index');
    if (expiry === undefined) return;
    const isValidExpiry =
      (numberOf(expiry) ?? -1) >= 0 && this.fields.length === 1 && !this.fields[0]?.descending;
    if (!isValidExpiry)
      throw cannotCreateIndex('a TTL index has one ascending field and expireAfterSeconds >= 0');
  }

  /** The keys of a document in this index; none if the index omits it. */
  keysOf(doc: Doc): string[] {
    if (this.geo) return this.#cellsOf(doc);
    let combined: string[] | undefined;
    let allMissing = true;
    let arrays = 0;
    for (const { parts, descending, path } of this.fields) {
      const { keys, many, missing } = keysAt(doc, parts);
      allMissing &&= missing;
      if (many) this.multikey = true;
      if (keys.length > 1 && ++arrays > 1) throw new ServerError(171, `parallel arrays at ${path}`);
      const orderedKeys = descending ? keys.map(invert) : keys;
      combined = combined ? combined.flatMap((start) => orderedKeys.map((end) => start + end)) : orderedKeys;
    }
    return (this.sparse && allMissing) || !combined ? [] : combined;
  }

  #cellsOf(doc: Doc): string[] {
    return this.fields.flatMap(({ path, parts }) => {
      const value = valueAt(doc, parts);
      const point = pointOf(value);
      if (point) return GRIDS.map((grid) => cellKey(grid, columnOf(grid, point[0]), rowOf(grid, point[1])));
      if (value === undefined || value === null) return [];
      throw new ServerError(16755, `Can't extract geo keys: ${path} is not a point with valid coordinates`);
    });
  }

  /** As keysOf; fails if another document than `self` has one of the keys of a unique index. */
  uniqueKeysOf(doc: Doc, self: Stored): string[] {
    const keys = this.keysOf(doc);
    const isTaken = (key: string) => (this.#entries.get(key) ?? self) !== self;
    if (!this.unique || !keys.some(isTaken)) return keys;
    const keyValue: Doc = {};
    for (const { path, parts } of this.fields) setField(keyValue, path, valueAt(doc, parts) ?? null);
    const keyJson = EJSON.stringify(keyValue);
    const details = `collection: ${this.#namespace} index: ${this.name} dup key: ${keyJson}`;
    throw new ServerError(11000, `E11000 duplicate key error ${details}`, {
      keyPattern: this.spec.key,
      keyValue,
    });
  }

  /** Moves a document from its old keys to new ones. */
  move(stored: Stored, oldKeys: string[], newKeys: string[]): void {
    if (oldKeys.length === newKeys.length && oldKeys.every((key, i) => key === newKeys[i])) return;
    for (const key of oldKeys) {
      const entry = this.#entries.get(key);
      if (entry instanceof Set && entry.size > 1) entry.delete(stored);
      else if (this.#entries.delete(key)) this.#order?.splice(insertionIndex(this.#order, key), 1);
    }
    for (const key of newKeys) {
      const entry = this.#entries.get(key);
      if (entry === undefined) {
        this.#entries.set(key, stored);
        this.#order?.splice(insertionIndex(this.#order, key), 0, key);
      } else if (entry instanceof Set) entry.add(stored);
      else if (entry !== stored) this.#entries.set(key, new Set([entry, stored]));
    }
  }

  /** The documents under one key. */
  documentsWith(key: string): Iterable<Stored> {
    const entry = this.#entries.get(key);
    return entry === undefined ? [] : entry instanceof Set ? entry : [entry];
  }

  /** The documents between two keys, in order. */
  *between(low: string, high: string, backwards: boolean): Generator<Stored> {
    this.#order ??= [...this.#entries.keys()].sort();
    const order = this.#order;
    const [first, end] = [insertionIndex(order, low), insertionIndex(order, high)];
    const last = order[end] === high ? end : end - 1;
    for (let i = 0; i <= last - first; i++)
      yield* this.documentsWith(order[backwards ? last - i : first + i] ?? '');
  }

  /** The documents that a TTL index has expired: by their date, or by the earliest of several. */
  expiredAt(now: number): Set<Stored> {
    if (this.expireAfterSeconds === undefined) return new Set();
    const due = new Date(now - this.expireAfterSeconds * 1000);
    return new Set(this.between(typeBounds(due)[0], keyOf(due), false));
  }

  /** The documents with a point that may be in a box; some twice if it goes around the earth. */
  *inBox(box: Box): Generator<Stored> {
    if (isNearlyGlobal(box)) {
      for (const key of this.#entries.keys())
        if (key.startsWith(`${COARSE_GRID}:`)) yield* this.documentsWith(key);
      return;
    }
    const grid = GRIDS.find((each) => cellsIn(box, each) <= MAX_CELLS_PER_GRID) ?? COARSE_GRID;
    const [west, south, east, north] = box;
    for (let column = columnOf(grid, west); column <= columnOf(grid, east); column++)
      for (let row = rowOf(grid, south); row <= rowOf(grid, north); row++)
        yield* this.documentsWith(cellKey(grid, column, row));
  }
}

/** The specification of an index in MongoDB's form. */
export function completeSpec({
  background: _,
  ns: _ns,
  v: _v,
  key,
  name: explicitName,
  ...options
}: Doc): Doc {
  const fields = isDoc(key) ? Object.entries(key) : [];
  const parts = fields.map(([path, kind]) => `${path}_${numberOf(kind) ?? String(kind)}`);
  const name = parts.join() === '_id_1' ? '_id_' : (explicitName ?? parts.join('_'));
  const version = fields.some(([, kind]) => kind === '2dsphere') ? { '2dsphereIndexVersion': 3 } : {};
  return { v: 2, key, name, ...options, ...version };
}
