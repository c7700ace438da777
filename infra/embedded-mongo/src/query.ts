import { BSONRegExp, MaxKey, MinKey } from 'bson';
import type { Collection } from './engine.ts';
import { badValue, ServerError } from './errors.ts';
import { boxAround, distance, type Point, parseShape, pointOf } from './geo.ts';
import type { Index, Stored } from './indexes.ts';
import { compileFilter, conditionsOf, isOperators, nearOf } from './matcher.ts';
import {
  AFTER_ALL,
  bracketOf,
  EMPTY_ARRAY_KEY,
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
/** What the conditions on one path leave of an index's keys. */
type Bounds = { points?: string[]; ranges: [low: string, high: string][] };
export type Plan = { index?: Index; candidates: Iterable<Stored>; sorted: boolean };

const unindexed = (value: unknown) =>
  Array.isArray(value) || value instanceof BSONRegExp || value instanceof MinKey || value instanceof MaxKey;

function addBounds(all: Map<string, Bounds>, path: string, operand: unknown): void {
  const bounds = all.get(path) ?? { ranges: [] };
  all.set(path, bounds);
  const points = (values: unknown[]) => {
    if (!values.some(unindexed)) bounds.points ??= values.map(keyOf);
  };
  if (!isOperators(operand)) {
    points([operand]);
    return;
  }
  for (const [name, value] of Object.entries(operand)) {
    const list: unknown[] = Array.isArray(value) ? value : [];
    if (name === '$eq') points([value]);
    else if (name === '$in') points(list);
    else if (name === '$all' && list.length > 0 && !isOperators(list[0])) points(list.slice(0, 1));
    else if (name === '$elemMatch' && isDoc(value) && !isOperators(value)) {
      for (const [inner, condition] of conditionsOf(value)) addBounds(all, `${path}.${inner}`, condition);
    } else if (/^\$[gl]te?$/.test(name) && value !== null && !unindexed(value)) {
      const [low, high] = bracketOf(value);
      bounds.ranges.push(name.startsWith('$g') ? [keyOf(value), high] : [low, keyOf(value)]);
    } else if (name === '$regex' && typeof value === 'string' && !Object.hasOwn(operand, '$options')) {
      const literal = /^\^([\w @-]+)(?![\w @*?+{|-])/.exec(value)?.[1];
      const key = literal === undefined || value.includes('|') ? undefined : keyOf(literal).slice(0, -1);
      if (key) bounds.ranges.push([key, key + AFTER_ALL]);
    }
  }
}

/** Whether every document the filter can match is in the index. */
function covers(index: Index, filter: Doc, bounds: Map<string, Bounds>): boolean {
  const present = (path: string) => {
    const { points, ranges } = bounds.get(path) ?? { ranges: [] };
    return ranges.length > 0 || points?.every((key) => key !== NULL_KEY) === true;
  };
  if (index.sparse && !index.fields.some(({ path }) => present(path))) return false;
  return Object.entries(index.partial ?? {}).every(([path, operand]) => {
    if (
      isOperators(operand) &&
      Object.keys(operand).join() === '$exists' &&
      operand.$exists === true &&
      present(path)
    ) {
      return true;
    }
    const matches = compileFilter({ [path]: operand });
    return conditionsOf(filter).some(([other, value]) => {
      if (other !== path) return false;
      if (keyOf(value) === keyOf(operand)) return true;
      const points: unknown = isOperators(value) ? (own(value, '$in') ?? [own(value, '$eq')]) : [value];
      return (
        Array.isArray(points) && points.every((point) => !unindexed(point) && matches({ [path]: point }))
      );
    });
  });
}

type Use = {
  index: Index;
  prefixes: string[];
  whole: boolean;
  low: string;
  high: string;
  sorted: boolean;
  backwards: boolean;
  score: number;
};

const MAX_PREFIXES = 2000;

/** How far an index helps: equalities on its first fields, a range on the next, the order of the rest. */
function useOf(index: Index, bounds: Map<string, Bounds>, sort: SortField[]): Use {
  let prefixes = [''];
  let used = 0;
  for (const { path, descending } of index.fields) {
    const points = bounds.get(path)?.points;
    if (!points || prefixes.length * points.length > MAX_PREFIXES) break;
    const ends = descending ? points.map(invert) : points;
    prefixes = prefixes.flatMap((start) => ends.map((end) => start + end));
    used++;
  }
  let score = used * 10;
  let [low, high] = ['', AFTER_ALL];
  const next = index.fields[used];
  const ranges = (next && bounds.get(next.path)?.ranges) ?? [];
  if (next && ranges.length > 0) {
    const chosen = index.multikey ? ranges.slice(0, 1) : ranges;
    const from =
      chosen
        .map((range) => range[0])
        .sort()
        .at(-1) ?? '';
    const to = chosen.map((range) => range[1]).sort()[0] ?? AFTER_ALL;
    [low, high] = next.descending ? [invert(to), invert(from) + AFTER_ALL] : [from, to + AFTER_ALL];
    score += 5;
  }
  const fixed = new Set(index.fields.slice(0, used).map(({ path }) => path));
  const order = sort.filter(({ path }) => !fixed.has(path));
  const rest = index.fields.slice(used);
  const backwards = order[0]?.descending !== rest[0]?.descending && order.length > 0;
  const inOrder = order.every(
    ({ path, descending }, i) => rest[i]?.path === path && (descending !== rest[i]?.descending) === backwards,
  );
  const sorted = inOrder && !index.multikey && prefixes.length === 1;
  if (sorted && order.length > 0) score += 3;
  return { index, prefixes, whole: rest.length === 0, low, high, sorted, backwards, score };
}

function* scan({ index, prefixes, whole, low, high, backwards }: Use): Generator<Stored> {
  for (const prefix of prefixes) {
    if (whole) yield* index.at(prefix);
    else yield* index.between(prefix + low, prefix + high, backwards);
  }
}

function* distinct(all: Iterable<Stored>): Generator<Stored> {
  const seen = new Set<Stored>();
  for (const stored of all) {
    if (seen.has(stored)) continue;
    seen.add(stored);
    yield stored;
  }
}

function hinted(collection: Collection, hint: unknown): Index | 'natural' | undefined {
  if (hint === undefined || (isDoc(hint) && Object.keys(hint).length === 0)) return undefined;
  if (isDoc(hint) && Object.keys(hint)[0] === '$natural') return 'natural';
  const found = collection.indexes.find((index) =>
    typeof hint === 'string' ? index.name === hint : keyOf(index.spec.key) === keyOf(hint),
  );
  if (!found) {
    throw badValue(
      'error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index',
    );
  }
  return found;
}

function boxPlan(collection: Collection, filter: Doc): Plan | undefined {
  for (const [path, operand] of conditionsOf(filter)) {
    const shape = isOperators(operand) ? own(operand, '$geoWithin') : undefined;
    const index = collection.indexes.find(
      (each) => each.geo && each.fields[0]?.path === path && !each.partial,
    );
    if (shape && index)
      return { index, candidates: distinct(index.inBox(parseShape(shape).box)), sorted: false };
  }
  return undefined;
}

/** Chooses how to find the documents that a filter can match: more may come, the matcher decides. */
export function plan(collection: Collection, filter: Doc, sort: SortField[], hint?: unknown): Plan {
  const wanted = hinted(collection, hint);
  const whole = { candidates: collection.stored, sorted: sort.length === 0 };
  if (wanted === 'natural') return whole;
  const bounds = new Map<string, Bounds>();
  for (const [path, operand] of conditionsOf(filter)) addBounds(bounds, path, operand);
  let best: Use | undefined;
  for (const index of wanted ? [wanted] : collection.indexes) {
    if (
      index.geo ||
      !(wanted ? index.sparse || covers(index, filter, bounds) : covers(index, filter, bounds))
    )
      continue;
    const use = useOf(index, bounds, sort);
    if ((use.score > 0 || wanted) && use.score > (best?.score ?? -1)) best = use;
  }
  if (best && (best.score >= 5 || wanted)) {
    const found = scan(best);
    const candidates = best.index.multikey || best.prefixes.length > 1 ? distinct(found) : found;
    return { index: best.index, candidates, sorted: best.sorted || sort.length === 0 };
  }
  const either = own(filter, '$or');
  if (!wanted && Array.isArray(either)) {
    const parts = either.map((clause) => plan(collection, clause, []));
    const [first] = parts;
    if (first?.index && parts.every((part) => part.index)) {
      const candidates = distinct(parts.flatMap((part) => [...part.candidates]));
      return { index: first.index, candidates, sorted: sort.length === 0 };
    }
  }
  if (best) return { index: best.index, candidates: scan(best), sorted: best.sorted };
  return (wanted ? undefined : boxPlan(collection, filter)) ?? whole;
}

/** The keys that a document sorts by: of an array the least element, or the greatest where the order descends. */
function sortKey(doc: Doc, sort: SortField[], turned: boolean): string {
  let key = '';
  for (const { parts, descending } of sort) {
    let best: string | undefined;
    const [only] = parts;
    const direct = parts.length === 1 && only !== undefined ? own(doc, only) : undefined;
    if (direct !== undefined && !Array.isArray(direct)) best = keyOf(direct);
    else {
      visitPath(doc, parts, (value, exact) => {
        const keys =
          Array.isArray(value) && !exact
            ? value.length
              ? value.map(keyOf)
              : [EMPTY_ARRAY_KEY]
            : [keyOf(value)];
        for (const each of keys)
          if (best === undefined || (descending ? each > best : each < best)) best = each;
        return false;
      });
    }
    best ??= NULL_KEY;
    key += descending === turned ? best : invert(best);
  }
  return key;
}

/** Sorts documents, keeping no more of them than are wanted. */
export function sortBy<T>(
  items: Iterable<T>,
  docOf: (item: T) => Doc,
  sort: SortField[],
  wanted: number,
): T[] {
  const turned = sort[0]?.descending === true;
  const order = turned ? -1 : 1;
  let keyed: { key: string; item: T }[] = [];
  let worst: string | undefined;
  const trim = () => {
    keyed.sort((a, b) => (a.key < b.key ? -order : a.key > b.key ? order : 0));
    if (keyed.length > wanted) keyed = keyed.slice(0, wanted);
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

/** The nearest first, which is what `$near` asks for. */
function nearest(collection: Collection, query: Query, matches: (doc: Doc) => boolean): Stored[] | undefined {
  const found = nearOf(query.filter);
  if (!found) return undefined;
  const { path, near } = found;
  return byDistance(collection, path, near.centre, near.max)
    .filter(({ stored }) => matches(stored.doc))
    .map(({ stored }) => stored);
}

/** The documents with a point in a field, by how far it lies from a centre. */
export function byDistance(collection: Collection, path: string | undefined, centre: Point, max: number) {
  const index = collection.indexes.find(
    (each) => each.geo && (path === undefined || each.fields[0]?.path === path),
  );
  const field = index?.fields[0];
  if (!index || !field) {
    throw new ServerError(291, 'error processing query: unable to find index for $geoNear query');
  }
  const measured: { stored: Stored; metres: number; point: unknown; path: string }[] = [];
  for (const stored of distinct(index.inBox(boxAround(centre, max)))) {
    let best: { metres: number; point: unknown } | undefined;
    visitPath(stored.doc, field.parts, (value) => {
      const point = pointOf(value);
      const metres = point ? distance(centre, point) : undefined;
      if (metres !== undefined && metres < (best?.metres ?? Number.POSITIVE_INFINITY))
        best = { metres, point: value };
      return false;
    });
    if (best) measured.push({ stored, path: field.path, ...best });
  }
  return measured.sort((a, b) => a.metres - b.metres);
}

/** The documents a query selects, in its order. */
export function select(collection: Collection | undefined, query: Query): Stored[] {
  const sort = parseSort(query.sort ?? {});
  const matches = compileFilter(query.filter, query.variables);
  if (!collection) return [];
  const skip = query.skip ?? 0;
  const wanted = query.limit ? skip + query.limit : Number.POSITIVE_INFINITY;
  const near = nearest(collection, query, matches);
  const { candidates, sorted } = near
    ? { candidates: near, sorted: sort.length === 0 }
    : plan(collection, query.filter, sort, query.hint);
  const found: Stored[] = [];
  if (!sorted) {
    const matching = (function* () {
      for (const stored of candidates) if (matches(stored.doc)) yield stored;
    })();
    return sortBy(matching, (stored) => stored.doc, sort, wanted).slice(skip);
  }
  for (const stored of candidates) {
    if (!matches(stored.doc)) continue;
    found.push(stored);
    if (found.length >= wanted) break;
  }
  return skip ? found.slice(skip) : found;
}
