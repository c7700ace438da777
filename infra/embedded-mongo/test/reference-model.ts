import { ObjectId } from 'mongodb';

// A minimal model of a collection: a list of documents, which every operation scans completely.

export type Doc = Record<string, unknown>;
export type Filter = Record<string, unknown>;

const isDoc = (value: unknown): value is Doc =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const RANKS = ['null', 'number', 'string', 'object', 'array', 'id', 'boolean', 'date'];

function kind(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof ObjectId) return 'id';
  if (value instanceof Date) return 'date';
  return typeof value;
}

const sign = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);

export function compare(a: unknown, b: unknown): number {
  const rank = RANKS.indexOf(kind(a)) - RANKS.indexOf(kind(b));
  if (rank !== 0) return rank;
  if (typeof a === 'number' && typeof b === 'number') return sign(a, b);
  if (typeof a === 'string' && typeof b === 'string') return sign(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return sign(Number(a), Number(b));
  if (a instanceof Date && b instanceof Date) return sign(a.getTime(), b.getTime());
  if (a instanceof ObjectId && b instanceof ObjectId) return sign(a.toHexString(), b.toHexString());
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.min(a.length, b.length); i++) {
      const order = compare(a[i], b[i]);
      if (order !== 0) return order;
    }
    return a.length - b.length;
  }
  if (isDoc(a) && isDoc(b)) {
    const [left, right] = [Object.entries(a), Object.entries(b)];
    for (let i = 0; i < Math.min(left.length, right.length); i++) {
      const [[leftKey, leftValue], [rightKey, rightValue]] = [left[i] ?? ['', 0], right[i] ?? ['', 0]];
      const ranks = RANKS.indexOf(kind(leftValue)) - RANKS.indexOf(kind(rightValue));
      const order = ranks || sign(leftKey, rightKey) || compare(leftValue, rightValue);
      if (order !== 0) return order;
    }
    return left.length - right.length;
  }
  return 0;
}

/** Returns the values at `a` or `a.b`; there are several if `a` is an array of documents. */
function valuesAt(doc: Doc, path: string): unknown[] {
  const [first = '', second] = path.split('.');
  const value = doc[first];
  if (second === undefined) return [value];
  if (Array.isArray(value)) return value.filter(isDoc).map((item) => item[second]);
  return [isDoc(value) ? value[second] : undefined];
}

function test(value: unknown, operator: string, operand: unknown): boolean {
  const comparable = kind(value) === kind(operand) && (operand !== null || operator.endsWith('e'));
  switch (operator) {
    case '$eq':
      return kind(value) === kind(operand) && compare(value, operand) === 0;
    case '$gt':
      return comparable && compare(value, operand) > 0;
    case '$gte':
      return comparable && compare(value, operand) >= 0;
    case '$lt':
      return comparable && compare(value, operand) < 0;
    case '$lte':
      return comparable && compare(value, operand) <= 0;
    case '$in':
      return Array.isArray(operand) && operand.some((item) => test(value, '$eq', item));
    case 'matches':
      return typeof value === 'string' && operand instanceof RegExp && operand.test(value);
    case '$size':
      return Array.isArray(value) && value.length === operand;
    default:
      throw new Error(operator);
  }
}

function satisfies(doc: Doc, path: string, operator: string, operand: unknown): boolean {
  if (operator === '$ne') return !satisfies(doc, path, '$eq', operand);
  if (operator === '$nin') return !satisfies(doc, path, '$in', operand);
  const values = valuesAt(doc, path);
  if (operator === '$exists') return values.some((value) => value !== undefined) === operand;
  if (operator === '$all') {
    return (
      Array.isArray(operand) &&
      operand.length > 0 &&
      operand.every((item) => satisfies(doc, path, '$eq', item))
    );
  }
  if (operator === '$size') return values.some((value) => test(value, operator, operand));
  return values.some(
    (value) =>
      test(value, operator, operand) ||
      (Array.isArray(value) && value.some((item) => test(item, operator, operand))),
  );
}

const isOperators = (operand: unknown): operand is Doc =>
  isDoc(operand) && Object.keys(operand)[0]?.startsWith('$') === true;

function matches(doc: Doc, filter: Filter): boolean {
  return Object.entries(filter).every(([key, operand]) => {
    if (key === '$and' && Array.isArray(operand)) return operand.every((clause) => matches(doc, clause));
    if (key === '$or' && Array.isArray(operand)) return operand.some((clause) => matches(doc, clause));
    if (key === '$nor' && Array.isArray(operand)) return !operand.some((clause) => matches(doc, clause));
    if (operand instanceof RegExp) return satisfies(doc, key, 'matches', operand);
    if (!isOperators(operand)) return satisfies(doc, key, '$eq', operand);
    return Object.entries(operand).every(([name, value]) => satisfies(doc, key, name, value));
  });
}

function sortValue(doc: Doc, path: string, direction: number): unknown[] {
  const values = valuesAt(doc, path).flatMap((value) =>
    Array.isArray(value) && value.length > 0 ? value : [value],
  );
  // An empty array comes before null; a missing field counts as null.
  const ranked = (value: unknown) => (Array.isArray(value) && value.length === 0 && direction !== 0 ? 0 : 1);
  const pairs = values.map((value) => [ranked(value), value]);
  pairs.sort((a, b) => direction * (Number(a[0]) - Number(b[0]) || (a[0] === 0 ? 0 : compare(a[1], b[1]))));
  return pairs[0] ?? [1, null];
}

function sorted(docs: Doc[], sort: Record<string, number>): Doc[] {
  return [...docs].sort((a, b) => {
    for (const [path, direction] of Object.entries(sort)) {
      const [left, right] = [sortValue(a, path, direction), sortValue(b, path, direction)];
      const order = Number(left[0]) - Number(right[0]) || (left[0] === 0 ? 0 : compare(left[1], right[1]));
      if (order !== 0) return direction * order;
    }
    return 0;
  });
}

/** A failure with MongoDB's code. */
export class RejectedError extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`rejected with code ${code}`);
    this.code = code;
  }
}

const copy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copy);
  return isDoc(value)
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copy(each)]))
    : value;
};

function changeField(doc: Doc, operator: string, path: string, operand: unknown): void {
  const [first = '', second] = path.split('.');
  let holder = doc;
  let key = first;
  if (second !== undefined) {
    const inner = doc[first];
    const onlyRemoves = operator === '$unset' || operator === '$pull';
    if (!isDoc(inner)) {
      if (onlyRemoves) return;
      if (inner !== undefined) throw new RejectedError(28);
      doc[first] = {};
    }
    const parent = doc[first];
    if (!isDoc(parent)) return;
    holder = parent;
    key = second;
  }
  const before = holder[key];
  if (operator === '$set') holder[key] = copy(operand);
  else if (operator === '$unset') delete holder[key];
  else if (operator === '$inc') {
    if (before !== undefined && typeof before !== 'number') throw new RejectedError(14);
    holder[key] = (typeof before === 'number' ? before : 0) + Number(operand);
  } else if (operator === '$max') {
    if (before === undefined || compare(operand, before) > 0) holder[key] = copy(operand);
  } else if (operator === '$min') {
    if (before === undefined || compare(operand, before) < 0) holder[key] = copy(operand);
  } else if (before !== undefined && !Array.isArray(before)) throw new RejectedError(2);
  else if (operator === '$push') holder[key] = [...(before ?? []), copy(operand)];
  else if (operator === '$addToSet') {
    const list: unknown[] = before ?? [];
    if (!list.some((item) => kind(item) === kind(operand) && compare(item, operand) === 0))
      holder[key] = [...list, copy(operand)];
  } else if (operator === '$pull' && before) {
    holder[key] = before.filter(
      (item: unknown) => !(kind(item) === kind(operand) && compare(item, operand) === 0),
    );
  }
}

export type IndexSpec = {
  name: string;
  keys: Record<string, number>;
  unique: boolean;
  sparse: boolean;
};

/** The reference model of a collection. */
export class ReferenceModel {
  docs: Doc[] = [];
  indexes: IndexSpec[] = [];

  #check(docs: Doc[], specs = this.indexes): void {
    for (const { keys, unique, sparse } of specs) {
      const seen: { owner: Doc; key: unknown[] }[] = [];
      for (const doc of docs) {
        const paths = Object.keys(keys);
        const lists = paths.map((path) => keysAt(doc, path));
        if (lists.filter((list) => list.length > 1).length > 1) throw new RejectedError(171);
        if (
          !unique ||
          (sparse && paths.every((path) => valuesAt(doc, path).every((value) => value === undefined)))
        )
          continue;
        const combined = lists.reduce<unknown[][]>(
          (starts, list) => starts.flatMap((start) => list.map((item) => [...start, item])),
          [[]],
        );
        for (const key of combined) {
          if (seen.some((other) => other.owner !== doc && compareKeys(other.key, key)))
            throw new RejectedError(11000);
          seen.push({ owner: doc, key });
        }
      }
    }
  }

  insert(doc: Doc): void {
    if (this.docs.some(({ _id }) => compare(_id, doc._id) === 0)) throw new RejectedError(11000);
    const all = [...this.docs, doc];
    this.#check(all);
    this.docs = all;
  }

  find(filter: Filter, sort: Record<string, number> = {}, skip = 0, limit = 0): Doc[] {
    const found = sorted(
      this.docs.filter((doc) => matches(doc, filter)),
      sort,
    );
    return found.slice(skip, limit ? skip + limit : undefined);
  }

  /** Changes documents one after the other, as MongoDB does: those before a failing one stay changed. */
  update(filter: Filter, update: Record<string, Doc>, many: boolean): number {
    const found = this.find(filter, { _id: 1 });
    let changed = 0;
    for (const doc of many ? found : found.slice(0, 1)) {
      const after = Object.fromEntries(Object.entries(doc).map(([key, value]) => [key, copy(value)]));
      for (const [operator, fields] of Object.entries(update)) {
        for (const [path, operand] of Object.entries(fields)) changeField(after, operator, path, operand);
      }
      const all = this.docs.map((each) => (each === doc ? after : each));
      this.#check(all);
      this.docs = all;
      changed++;
    }
    return changed;
  }

  remove(filter: Filter, many: boolean): number {
    const found = this.find(filter, { _id: 1 });
    const removed = many ? found : found.slice(0, 1);
    this.docs = this.docs.filter((doc) => !removed.includes(doc));
    return removed.length;
  }

  distinct(path: string, filter: Filter): unknown[] {
    const values = this.find(filter).flatMap((doc) =>
      valuesAt(doc, path).flatMap((value) => (Array.isArray(value) ? value : [value])),
    );
    const unique: unknown[] = [];
    for (const value of values) {
      if (
        value !== undefined &&
        !unique.some((known) => kind(known) === kind(value) && compare(known, value) === 0)
      )
        unique.push(value);
    }
    return unique.sort(compare);
  }

  createIndex(spec: IndexSpec): void {
    this.#check(this.docs, [spec]);
    this.indexes.push(spec);
  }

  dropIndex(name: string): void {
    this.indexes = this.indexes.filter((spec) => spec.name !== name);
  }
}

const EMPTY = Symbol('an empty array');

function keysAt(doc: Doc, path: string): unknown[] {
  const keys = valuesAt(doc, path).flatMap((value): unknown[] => {
    if (!Array.isArray(value)) return [value ?? null];
    return value.length > 0 ? value : [EMPTY];
  });
  const unique: unknown[] = [];
  for (const key of keys) if (!unique.some((known) => compareKeys([known], [key]))) unique.push(key);
  return unique.length > 0 ? unique : [null];
}

const compareKeys = (a: unknown[], b: unknown[]) =>
  a.every((item, i) =>
    item === EMPTY || b[i] === EMPTY ? item === b[i] : kind(item) === kind(b[i]) && compare(item, b[i]) === 0,
  );
