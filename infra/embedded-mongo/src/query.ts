import { BSONRegExp, MaxKey, MinKey } from 'bson';
import type { Collection } from './engine.ts';
import { badValue, ServerError } from './errors.ts';
import { boxAround, distance, type Near, parseShape, pointOf } from './geo.ts';
import type { Index, Stored } from './indexes.ts';
import { compileFilter, conditionsOf, isOperators, nearOf } from './matcher.ts';
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
  variables?: Doc | undefined;
};
/** What the conditions on one path leave of the keys of an index. */
type Bounds = { points?: string[]; ranges: [low: string, high: string][] };
/** How to find what a filter can match: more may come, never less. */
export type Plan = { index?: Index; candidates: Iterable<Stored>; sorted: boolean };

const isUnindexed = (value: unknown) =>
  Array.isArray(value) || [BSONRegExp, MinKey, MaxKey].some((type) => value instanceof type);

function addBounds(all: Map<string, Bounds>, path: string, operand: unknown): void {
  const bounds = all.get(path) ?? { ranges: [] };
  all.set(path, bounds);
  const points = (values: unknown[]) => {
    if (!values.some(isUnindexed)) bounds.points ??= values.map(keyOf);
  };
  for (const [name, value] of isOperators(operand) ? Object.entries(operand) : [['$eq', operand] as const]) {
    if (name === '$eq') points([value]);
    else if (name === '$in' && Array.isArray(value)) points(value);
    else if (name === '$all' && Array.isArray(value) && value.length > 0 && !isOperators(value[0]))
      points([value[0]]);
    else if (name === '$elemMatch' && isDoc(value) && !isOperators(value)) {
      for (const [inner, condition] of conditionsOf(value)) addBounds(all, `${path}.${inner}`, condition);
    } else if (/^\$[gl]te?$/.test(name) && value !== null && !isUnindexed(value)) {
      const [low, high] = bracketOf(value);
      bounds.ranges.push(name.startsWith('$g') ? [keyOf(value), high] : [low, keyOf(value)]);
    }
  }
}

/** Whether every document that the filter can match is in the index. */
function covers(index: Index, filter: Doc, all: Map<string, Bounds>): boolean {
  const isPresent = (path: string) => {
    const { points, ranges } = all.get(path) ?? { ranges: [] };
    return ranges.length > 0 || points?.every((key) => key !== NULL_KEY) === true;
  };
  if (index.sparse && !index.fields.some(({ path }) => isPresent(path))) return false;
  return Object.entries(index.partial ?? {}).every(([path, operand]) => {
    if (equal(operand, { $exists: true }) && isPresent(path)) return true;
    const matches = compileFilter({ [path]: operand });
    return conditionsOf(filter).some(([other, value]) => {
      if (other !== path) return false;
      const points = isOperators(value) ? (own(value, '$in') ?? [own(value, '$eq')]) : [value];
      const isPoint = (point: unknown) =>
        point !== undefined && !isUnindexed(point) && matches({ [path]: point });
      return equal(value, operand) || (Array.isArray(points) && points.every(isPoint));
    });
  });
}

/** The use of an index: keys that begin with one of the prefixes, and then lie between two bounds. */
type Use = { index: Index; prefixes: string[]; complete: boolean; low: string; high: string; score: number };
type Ordered = Use & { sorted: boolean; backwards: boolean };

const MAX_PREFIXES = 2000;

/** How far an index helps: equalities on its first fields, a range on the next, the order of the rest. */
function useOf(index: Index, all: Map<string, Bounds>, sort: SortField[]): Ordered {
  let prefixes = [''];
  let used = 0;
  for (const { path, descending } of index.fields) {
    const points = all.get(path)?.points;
    if (!points || prefixes.length * points.length > MAX_PREFIXES) break;
    const ends = descending ? points.map(invert) : points;
    prefixes = prefixes.flatMap((start) => ends.map((end) => start + end));
    used++;
  }
  const rest = index.fields.slice(used);
  const [next] = rest;
  const ranges = (next && all.get(next.path)?.ranges) ?? [];
  let [low, high] = ['', AFTER_ALL];
  if (next && ranges.length > 0) {
    // Different elements of an array may meet different bounds, so only one of them can narrow.
    const chosen = index.multikey ? ranges.slice(0, 1) : ranges;
    const from =
      chosen
        .map((range) => range[0])
        .sort()
        .at(-1) ?? '';
    const to = chosen.map((range) => range[1]).sort()[0] ?? AFTER_ALL;
    [low, high] = next.descending ? [invert(to), invert(from) + AFTER_ALL] : [from, to + AFTER_ALL];
  }
  const fixed = index.fields.slice(0, used).map(({ path }) => path);
  const order = sort.filter(({ path }) => !fixed.includes(path));
  const backwards = order.length > 0 && order[0]?.descending !== next?.descending;
  const inOrder = order.every(
    ({ path, descending }, i) => rest[i]?.path === path && (descending !== rest[i]?.descending) === backwards,
  );
  const sorted = inOrder && !index.multikey && prefixes.length === 1;
  const score = used * 10 + (ranges.length > 0 ? 5 : 0) + (sorted && order.length > 0 ? 3 : 0);
  return { index, prefixes, complete: rest.length === 0, low, high, sorted, backwards, score };
}

function* scan({ index, prefixes, complete, low, high, backwards }: Ordered): Generator<Stored> {
  for (const prefix of prefixes) {
    if (complete) yield* index.at(prefix);
    else yield* index.between(prefix + low, prefix + high, backwards);
  }
}

function hinted(collection: Collection, hint: unknown): Index | 'natural' | undefined {
  if (hint === undefined || (isDoc(hint) && Object.keys(hint).length === 0)) return undefined;
  if (isDoc(hint) && own(hint, '$natural') === 1) return 'natural';
  const found = collection.indexes.find(({ name, spec }) => equal(hint, isDoc(hint) ? spec.key : name));
  if (found) return found;
  throw badValue(
    'error processing query: planner returned error: hint provided does not correspond to an existing index',
  );
}

/** Each clause of an `$or` by an index of its own. */
function unionPlan(collection: Collection, filter: Doc): Plan | undefined {
  const clauses = own(filter, '$or');
  const parts = Array.isArray(clauses) ? clauses.map((clause) => plan(collection, clause, [])) : [];
  const [index] = parts.map((part) => part.index);
  if (!index || !parts.every((part) => part.index)) return undefined;
  return { index, candidates: new Set(parts.flatMap((part) => [...part.candidates])), sorted: false };
}

function boxPlan(collection: Collection, filter: Doc): Plan | undefined {
  for (const [path, operand] of conditionsOf(filter)) {
    const shape = isOperators(operand) ? own(operand, '$geoWithin') : undefined;
    const fits = ({ geo, partial, fields }: Index) => geo && !partial && fields[0]?.path === path;
    const index = shape === undefined ? undefined : collection.indexes.find(fits);
    if (index) return { index, candidates: new Set(index.inBox(parseShape(shape).box)), sorted: false };
  }
  return undefined;
}

/** Chooses how to find the documents that a filter can match. */
export function plan(collection: Collection, filter: Doc, sort: SortField[], hint?: unknown): Plan {
  const wanted = hinted(collection, hint);
  const whole = { candidates: collection.stored, sorted: false };
  if (wanted === 'natural') return whole;
  const all = new Map<string, Bounds>();
  for (const [path, operand] of conditionsOf(filter)) addBounds(all, path, operand);
  const usable = wanted ? [wanted] : collection.indexes.filter((index) => covers(index, filter, all));
  const uses = usable.filter(({ geo }) => !geo).map((index) => useOf(index, all, sort));
  const [best] = uses.sort((a, b) => b.score - a.score);
  const byKeys = (use: Ordered): Plan => {
    const repeats = use.index.multikey || use.prefixes.length > 1;
    return { index: use.index, candidates: repeats ? new Set(scan(use)) : scan(use), sorted: use.sorted };
  };
  if (best && (best.score >= 5 || wanted)) return byKeys(best);
  const narrow = wanted ? undefined : (unionPlan(collection, filter) ?? boxPlan(collection, filter));
  return narrow ?? (best && best.score > 0 ? byKeys(best) : whole);
}

/** The key that a document sorts by: of an array its least element, or the greatest where the order descends. */
function sortKey(doc: Doc, sort: SortField[], turned: boolean): string {
  let key = '';
  for (const { parts, descending } of sort) {
    let best: string | undefined;
    visitPath(doc, parts, (value, exact) => {
      const keys =
        !Array.isArray(value) || exact
          ? [keyOf(value)]
          : value.length > 0
            ? value.map(keyOf)
            : [EMPTY_ARRAY_KEY];
      for (const each of keys)
        if (best === undefined || (descending ? each > best : each < best)) best = each;
      return false;
    });
    const found = best ?? NULL_KEY;
    key += descending === turned ? found : invert(found);
  }
  return key;
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
  let worst: string | undefined;
  const trim = () => {
    keyed.sort((a, b) => (a.key < b.key ? -order : a.key > b.key ? order : 0));
    keyed = keyed.slice(0, wanted);
    if (keyed.length === wanted) worst = keyed.at(-1)?.key;
  };
  for (const item of items) {
    const key = sortKey(docOf(item), sort, turned);
    if (worst !== undefined && (turned ? key <= worst : key >= worst)) continue;
    keyed.push({ key, item });
    if (keyed.length >= 2 * wanted + 1000) trim();
  }
  trim();
  return keyed.map(({ item }) => item);
}

export type Measured = { stored: Stored; metres: number; point: unknown };

/** The documents whose point lies within reach of a centre, the nearest first. */
export function byDistance(
  collection: Collection,
  path: string | undefined,
  { centre, min, max }: Near,
): Measured[] {
  const index = collection.indexes.find(
    ({ geo, fields }) => geo && (path ?? fields[0]?.path) === fields[0]?.path,
  );
  if (!index) throw new ServerError(291, 'error processing query: unable to find index for $geoNear query');
  const measured: Measured[] = [];
  for (const stored of new Set(index.inBox(boxAround(centre, max)))) {
    let best: Measured | undefined;
    visitPath(stored.doc, index.fields[0]?.parts ?? [], (value) => {
      const point = pointOf(value);
      const metres = point ? distance(centre, point) : Number.NaN;
      if (metres >= min && metres <= max && !(metres >= (best?.metres ?? Infinity)))
        best = { stored, metres, point: value };
      return false;
    });
    if (best) measured.push(best);
  }
  return measured.sort((a, b) => a.metres - b.metres);
}

/** The documents a query selects, in its order. */
export function select(collection: Collection | undefined, query: Query): Stored[] {
  const { filter, skip = 0, limit = 0 } = query;
  const sort = parseSort(query.sort ?? {});
  const matches = compileFilter(filter, query.variables);
  if (!collection) return [];
  const wanted = limit > 0 ? skip + limit : Infinity;
  const near = nearOf(filter);
  const { candidates, sorted } = near
    ? { candidates: byDistance(collection, near.path, near.near).map(({ stored }) => stored), sorted: false }
    : plan(collection, filter, sort, query.hint);
  function* matching() {
    for (const stored of candidates) if (matches(stored.doc)) yield stored;
  }
  if (!sorted && sort.length > 0) return sortBy(matching(), ({ doc }) => doc, sort, wanted).slice(skip);
  const found: Stored[] = [];
  for (const stored of matching()) if (found.push(stored) >= wanted) break;
  return found.slice(skip);
}
