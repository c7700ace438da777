import { BSONRegExp } from 'bson';
import type { Collection } from './engine.ts';
import { badValue, notSupported, ServerError } from './errors.ts';
import { boxAround, distance, type Near, parseNear, parseShape, pointOf } from './geo.ts';
import type { Index, IndexField, Stored } from './indexes.ts';
import { compileFilter, conditionsOf, isOperators, type Matcher } from './matcher.ts';
import {
  AFTER_ALL,
  bracketOf,
  EMPTY_ARRAY_KEY,
  equal,
  invert,
  keyOf,
  NULL_KEY,
  parseSort,
  type SortField,
} from './order.ts';
import { visitPath } from './paths.ts';
import { type Doc, isDoc, own } from './values.ts';

export type Query = {
  filter: Doc;
  sort?: Doc | undefined;
  skip?: number | undefined;
  limit?: number | undefined;
  hint?: unknown;
};
/** What the conditions on one path leave of the keys of an index. */
type Bounds = { points?: string[]; ranges: [low: string, high: string][] };
/** A way to what a filter can match: more may come, never less. */
type Access = { index?: Index; candidates: Iterable<Stored>; sorted: boolean };
/** How a query is answered: what comes by an index, and what is left to check and to sort. */
export type Plan = { index?: Index; candidates: Iterable<Stored>; matches: Matcher; sort: SortField[] };

const isUnindexed = (value: unknown) => Array.isArray(value) || value instanceof BSONRegExp;

function addBounds(all: Map<string, Bounds>, path: string, operand: unknown): void {
  const bounds = all.get(path) ?? { ranges: [] };
  all.set(path, bounds);
  const points = (values: unknown[]) => {
    if (!values.some(isUnindexed)) bounds.points ??= values.map(keyOf);
  };
  for (const [name, value] of isOperators(operand) ? Object.entries(operand) : [['$eq', operand] as const]) {
    if (name === '$eq') points([value]);
    else if (name === '$in' && Array.isArray(value)) points(value);
    else if (name === '$all' && Array.isArray(value) && value.length > 0) points([value[0]]);
    else if (/^\$[gl]te?$/.test(name) && value !== null && !isUnindexed(value)) {
      const [low, high] = bracketOf(value);
      bounds.ranges.push(name.startsWith('$g') ? [keyOf(value), high] : [low, keyOf(value)]);
    }
  }
}

/** Whether every document that the filter can match is in the index. */
function covers(index: Index, all: Map<string, Bounds>): boolean {
  const isPresent = ({ path }: IndexField) => {
    const { points, ranges } = all.get(path) ?? { ranges: [] };
    return ranges.length > 0 || points?.every((key) => key !== NULL_KEY) === true;
  };
  return !index.sparse || index.fields.some(isPresent);
}

/** The use of an index: the documents between pairs of keys, ordered as the sort asks when `sorted`. */
type Use = {
  index: Index;
  spans: [low: string, high: string][];
  backwards: boolean;
  sorted: boolean;
  score: number;
};

const MAX_SPANS = 2000;

/** How far an index helps: equalities on its first fields, a range on the next, the order of the rest. */
function useOf(index: Index, all: Map<string, Bounds>, sort: SortField[]): Use {
  let prefixes = [''];
  let used = 0;
  for (const { path, descending } of index.fields) {
    const points = all.get(path)?.points;
    if (!points || prefixes.length * points.length > MAX_SPANS) break;
    const ends = descending ? points.map(invert) : points;
    prefixes = prefixes.flatMap((start) => ends.map((end) => start + end));
    used++;
  }
  const rest = index.fields.slice(used);
  const [next] = rest;
  let ranges = (next && all.get(next.path)?.ranges) ?? [];
  // Different elements of an array may meet different bounds, so only one of them can narrow.
  if (index.multikey) ranges = ranges.slice(0, 1);
  const from = ranges.map((range) => range[0]).sort();
  const to = ranges.map((range) => range[1]).sort();
  let [low, high] = [from.at(-1) ?? '', (to[0] ?? '') + AFTER_ALL];
  if (next?.descending && ranges.length > 0) [low, high] = [invert(to[0] ?? ''), invert(low) + AFTER_ALL];
  const fixed = index.fields.slice(0, used).map(({ path }) => path);
  const order = sort.filter(({ path }) => !fixed.includes(path));
  const backwards = order.length > 0 && order[0]?.descending !== next?.descending;
  const inOrder = order.every(
    ({ path, descending }, i) => rest[i]?.path === path && (descending !== rest[i]?.descending) === backwards,
  );
  const sorted = inOrder && !index.multikey && prefixes.length === 1;
  const score = used * 10 + (ranges.length > 0 ? 5 : 0) + (sorted && order.length > 0 ? 3 : 0);
  const spanOf = (prefix: string): [string, string] => [prefix + low, prefix + high];
  const spans = prefixes.map(next ? spanOf : (key): [string, string] => [key, key]);
  return { index, spans, backwards, sorted, score };
}

function byKeys({ index, spans, backwards, sorted }: Use): Access {
  function* scan() {
    for (const [low, high] of spans)
      yield* low === high ? index.at(low) : index.between(low, high, backwards);
  }
  const repeats = index.multikey || spans.length > 1;
  return { index, candidates: repeats ? new Set(scan()) : scan(), sorted };
}

/** Each clause of an `$or` by an index of its own. */
function byClauses(collection: Collection, filter: Doc): Access | undefined {
  const clauses = own(filter, '$or');
  const parts = Array.isArray(clauses) ? clauses.map((clause) => choose(collection, clause, [])) : [];
  const [index] = parts.map((part) => part.index);
  if (!index || !parts.every((part) => part.index)) return undefined;
  return { index, candidates: new Set(parts.flatMap((part) => [...part.candidates])), sorted: false };
}

function byCells(collection: Collection, filter: Doc): Access | undefined {
  for (const [path, operand] of conditionsOf(filter)) {
    const shape = isOperators(operand) ? own(operand, '$geoWithin') : undefined;
    const index = shape === undefined ? undefined : geoIndex(collection, path);
    if (index) return { index, candidates: new Set(index.inBox(parseShape(shape).box)), sorted: false };
  }
  return undefined;
}

const geoIndex = ({ indexes }: Collection, path: string) =>
  indexes.find(({ geo, fields }) => geo && fields[0]?.path === path);

function hinted(collection: Collection, hint: unknown): Index | 'natural' | undefined {
  if (hint === undefined || (isDoc(hint) && Object.keys(hint).length === 0)) return undefined;
  if (isDoc(hint) && own(hint, '$natural') === 1) return 'natural';
  const found = collection.indexes.find(({ name, spec }) => equal(hint, isDoc(hint) ? spec.key : name));
  if (found) return found;
  throw badValue('planner returned error: hint provided does not correspond to an existing index');
}

/** Chooses the way to the documents that a filter can match. */
function choose(collection: Collection, filter: Doc, sort: SortField[], hint?: unknown): Access {
  const wanted = hinted(collection, hint);
  const throughAll = { candidates: collection.stored, sorted: false };
  if (wanted === 'natural') return throughAll;
  const all = new Map<string, Bounds>();
  for (const [path, operand] of conditionsOf(filter)) addBounds(all, path, operand);
  const usable = wanted ? [wanted] : collection.indexes.filter((index) => covers(index, all));
  const uses = usable.filter(({ geo }) => !geo).map((index) => useOf(index, all, sort));
  const [best] = uses.sort((a, b) => b.score - a.score);
  if (best && (best.score >= 5 || wanted)) return byKeys(best);
  const narrow = wanted ? undefined : (byClauses(collection, filter) ?? byCells(collection, filter));
  return narrow ?? (best && best.score > 0 ? byKeys(best) : throughAll);
}

type NearFilter = { path: string; near: Near; rest: Doc };

/** Takes the `$near` out of a filter, which orders its result. */
function nearOf(filter: Doc): NearFilter | undefined {
  for (const [path, operand] of Object.entries(filter)) {
    const spec = isOperators(operand) ? (own(operand, '$near') ?? own(operand, '$nearSphere')) : undefined;
    if (!isDoc(spec)) continue;
    if (Object.keys(operand ?? {}).length > 1) throw notSupported('a condition beside $near on one field');
    const { [path]: _, ...rest } = filter;
    return { path, near: parseNear(spec), rest };
  }
  return undefined;
}

/** The documents whose point lies within reach of a centre, the nearest first. */
function byDistance(collection: Collection, { path, near: { centre, min, max } }: NearFilter): Access {
  const index = geoIndex(collection, path);
  if (!index) throw new ServerError(291, 'unable to find index for $geoNear query');
  const measured = [...new Set(index.inBox(boxAround(centre, max)))].map((stored) => {
    let metres = Number.POSITIVE_INFINITY;
    visitPath(stored.doc, path.split('.'), (value) => {
      const point = pointOf(value);
      const away = point ? distance(centre, point) : Number.NaN;
      if (away >= min && away <= max && away < metres) metres = away;
      return false;
    });
    return { stored, metres };
  });
  const near = measured.filter(({ metres }) => metres < Number.POSITIVE_INFINITY);
  const sorted = near.sort((a, b) => a.metres - b.metres);
  return { index, candidates: sorted.map(({ stored }) => stored), sorted: false };
}

/** Plans a query, refusing what this server would have to guess at. */
export function plan(collection: Collection | undefined, { filter, sort: order = {}, hint }: Query): Plan {
  const sort = parseSort(order);
  const near = nearOf(filter);
  const matches = compileFilter(near?.rest ?? filter);
  if (near && hint !== undefined) throw notSupported('a hint beside $near');
  if (!collection) return { candidates: [], matches, sort };
  const { sorted, ...access } = near ? byDistance(collection, near) : choose(collection, filter, sort, hint);
  return { ...access, matches, sort: sorted ? [] : sort };
}

/** The key that a document sorts by: of an array its least element, or the greatest where the order descends. */
function sortKey(doc: Doc, sort: SortField[], turned: boolean): string {
  let sortKey = '';
  for (const { parts, descending } of sort) {
    let best: string | undefined;
    const offer = (key: string) => {
      if (best === undefined || (descending ? key > best : key < best)) best = key;
    };
    visitPath(doc, parts, (value, exact) => {
      if (!Array.isArray(value) || exact) offer(keyOf(value));
      else if (value.length === 0) offer(EMPTY_ARRAY_KEY);
      else for (const item of value) offer(keyOf(item));
      return false;
    });
    sortKey += descending === turned ? (best ?? NULL_KEY) : invert(best ?? NULL_KEY);
  }
  return sortKey;
}

/** Sorts, keeping no more than are wanted. */
export function sortBy<T>(
  items: Iterable<T>,
  docOf: (item: T) => Doc,
  sort: SortField[],
  wanted = Infinity,
): T[] {
  const turned = sort[0]?.descending === true;
  const order = turned ? -1 : 1;
  let keyed: { key: string; item: T }[] = [];
  const trim = () => {
    keyed = keyed.sort((a, b) => (a.key < b.key ? -order : a.key > b.key ? order : 0)).slice(0, wanted);
  };
  for (const item of items) {
    keyed.push({ key: sortKey(docOf(item), sort, turned), item });
    if (keyed.length >= 2 * wanted + 1000) trim();
  }
  trim();
  return keyed.map(({ item }) => item);
}

/** The documents a query selects, in its order. */
export function select(collection: Collection | undefined, query: Query): Stored[] {
  const { skip = 0, limit = 0 } = query;
  const { candidates, matches, sort } = plan(collection, query);
  const wanted = limit > 0 ? skip + limit : Infinity;
  function* matching() {
    for (const stored of candidates) if (matches(stored.doc)) yield stored;
  }
  if (sort.length > 0) return sortBy(matching(), ({ doc }) => doc, sort, wanted).slice(skip);
  const found: Stored[] = [];
  for (const stored of matching()) if (found.push(stored) >= wanted) break;
  return found.slice(skip);
}
