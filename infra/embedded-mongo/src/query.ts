import { BSONRegExp } from 'bson';
import type { Collection } from './engine.ts';
import { badValue, notSupported, ServerError } from './errors.ts';
import { boxAround, distance, type Near, parseNear, parseShape, pointOf } from './geo.ts';
import { type Index, type IndexField, isNearlyGlobal, type Stored } from './indexes.ts';
import { compileFilter, conditionsOf, isOperators, type Matcher } from './matcher.ts';
import {
  equal,
  invert,
  keyOf,
  MAX_KEY_SUFFIX,
  NULL_KEY,
  parseSort,
  type SortField,
  sortBy,
  typeBounds,
} from './order.ts';
import { valueAt } from './paths.ts';
import { type Doc, isDoc, ownValue } from './values.ts';

/** A limit of 0 is none. */
export type Query = { filter: Doc; sort?: Doc; skip?: number; limit?: number; hint?: unknown };
/** The bounds that the conditions on one path impose on an index's keys. */
type Bounds = { points?: string[]; ranges: [low: string, high: string][] };
/** A way to read candidates (access path): all matching documents, and possibly others. A higher score means fewer. */
type Access = { index?: Index; candidates: () => Iterable<Stored>; sorted?: boolean; score: number };
/** The plan of a query: candidates from an index, and what remains to be checked and sorted. */
type Plan = { index: Index | undefined; candidates: Iterable<Stored>; matches: Matcher; sort: SortField[] };

/** An example value of each type that `$type` can name and whose keys are contiguous in an index. */
const valuesOfTypes = new Map<unknown, unknown>([
  ['date', new Date(0)],
  ['string', ''],
]);

const isUnindexed = (value: unknown) => Array.isArray(value) || value instanceof BSONRegExp;

function addBounds(all: Map<string, Bounds>, path: string, operand: unknown): void {
  const bounds = all.get(path) ?? { ranges: [] };
  all.set(path, bounds);
  const points = (values: unknown[]) => {
    if (!values.some(isUnindexed)) bounds.points ??= values.map(keyOf);
  };
  if (operand instanceof BSONRegExp && /^\^./.test(operand.pattern) && operand.options === '') {
    const start = keyOf(operand.pattern.slice(1).replace(/\\(.)/g, '$1')).slice(0, -1);
    bounds.ranges.push([start, start]);
  }
  for (const [name, value] of isOperators(operand) ? Object.entries(operand) : [['$eq', operand] as const]) {
    if (name === '$eq') points([value]);
    else if (name === '$in' && Array.isArray(value)) points(value);
    else if (name === '$all' && Array.isArray(value) && value.length > 0) points([value[0]]);
    else if (name === '$type' && valuesOfTypes.has(value))
      bounds.ranges.push(typeBounds(valuesOfTypes.get(value)));
    else if (/^\$[gl]te?$/.test(name) && value !== null && !isUnindexed(value)) {
      const [low, high] = typeBounds(value);
      bounds.ranges.push(name.startsWith('$g') ? [keyOf(value), high] : [low, keyOf(value)]);
    }
  }
}

/** Whether the index contains every document that the filter can match. */
function covers(index: Index, all: Map<string, Bounds>): boolean {
  const isPresent = ({ path }: IndexField) => {
    const { points, ranges } = all.get(path) ?? { ranges: [] };
    return ranges.length > 0 || points?.every((key) => key !== NULL_KEY) === true;
  };
  return !index.sparse || index.fields.some(isPresent);
}

const MAX_RANGES = 2000;

function* distinct(all: Iterable<Stored>): Generator<Stored> {
  const seen = new Set<Stored>();
  for (const stored of all) if (!seen.has(stored) && seen.add(stored)) yield stored;
}

/** Access by an index: equalities on its first fields, a range on the next one, and the order of the rest. */
function byIndex(index: Index, all: Map<string, Bounds>, sort: SortField[]): Access {
  let prefixes = [''];
  let used = 0;
  for (const { path, descending } of index.fields) {
    const points = all.get(path)?.points;
    if (!points || prefixes.length * points.length > MAX_RANGES) break;
    const ends = descending ? points.map(invert) : points;
    prefixes = prefixes.flatMap((start) => ends.map((end) => start + end));
    used++;
  }
  const rest = index.fields.slice(used);
  const [next] = rest;
  let ranges = (next && all.get(next.path)?.ranges) ?? [];
  // Different elements of an array may satisfy different bounds, so only one of them can be used.
  if (index.multikey) ranges = ranges.slice(0, 1);
  const from = ranges.map((range) => range[0]).sort();
  const to = ranges.map((range) => range[1]).sort();
  let [low, high] = [from.at(-1) ?? '', (to[0] ?? '') + MAX_KEY_SUFFIX];
  if (next?.descending && ranges.length > 0)
    [low, high] = [invert(to[0] ?? ''), invert(low) + MAX_KEY_SUFFIX];
  const equalityPaths = index.fields.slice(0, used).map(({ path }) => path);
  const order = sort.filter(({ path }) => !equalityPaths.includes(path));
  const backwards = order.length > 0 && order[0]?.descending !== next?.descending;
  const matchesOrder = order.every(
    ({ path, descending }, i) => rest[i]?.path === path && (descending !== rest[i]?.descending) === backwards,
  );
  const sorted = matchesOrder && !index.multikey && prefixes.length === 1;
  const score = used * 10 + (ranges.length > 0 ? 5 : 0) + (sorted && order.length > 0 ? 3 : 0);
  function* scan() {
    for (const prefix of prefixes)
      yield* next ? index.between(prefix + low, prefix + high, backwards) : index.documentsWith(prefix);
  }
  const candidates = () => (index.multikey || prefixes.length > 1 ? distinct(scan()) : scan());
  return { index, candidates, sorted, score };
}

/** Access to each clause of an `$or` by its own index. */
function byClauses(collection: Collection, filter: Doc): Access[] {
  const clauses = ownValue(filter, '$or');
  const accesses = Array.isArray(clauses) ? clauses.map((clause) => choose(collection, clause, [])) : [];
  const [index] = accesses.map((access) => access.index);
  if (!index || !accesses.every((access) => access.index)) return [];
  const candidates = () => new Set(accesses.flatMap((access) => [...access.candidates()]));
  return [{ index, candidates, score: 4 }];
}

/** Access by the cells of a circle. */
function byCells(collection: Collection, conditions: [path: string, operand: unknown][]): Access[] {
  return conditions.flatMap(([path, operand]) => {
    const shape = isOperators(operand) ? ownValue(operand, '$geoWithin') : undefined;
    const index = shape === undefined ? undefined : geoIndex(collection, path);
    if (!index) return [];
    return [{ index, candidates: () => distinct(index.inBox(parseShape(shape).box)), score: 6 }];
  });
}

const geoIndex = ({ indexes }: Collection, path: string) =>
  indexes.find(({ geo, fields }) => geo && fields[0]?.path === path);

function hintedIndex(collection: Collection, hint: unknown): Index | undefined {
  if (hint === undefined || collection.number === 0) return undefined;
  const found = collection.indexes.find(({ name, spec }) => equal(hint, isDoc(hint) ? spec.key : name));
  if (found && !found.geo) return found;
  throw badValue('planner returned error: hint provided does not correspond to an existing index');
}

/** Chooses the access with the highest score. */
function choose(collection: Collection, filter: Doc, sort: SortField[], hint?: unknown): Access {
  const conditions = conditionsOf(filter);
  const all = new Map<string, Bounds>();
  for (const [path, operand] of conditions) addBounds(all, path, operand);
  const hinted = hintedIndex(collection, hint);
  if (hinted) return byIndex(hinted, all, sort);
  const fullScan: Access = { candidates: () => collection.stored, score: 1 };
  const usable = collection.indexes.filter((index) => !index.geo && covers(index, all));
  const accesses = usable.map((index) => byIndex(index, all, sort));
  const others = [...byClauses(collection, filter), ...byCells(collection, conditions)];
  return [...accesses, ...others].reduce(
    (best, access) => (access.score > best.score ? access : best),
    fullScan,
  );
}

type NearFilter = { path: string; near: Near; rest: Doc };

/** Extracts the `$near` of a filter, which determines the order. */
function nearOf(filter: Doc): NearFilter | undefined {
  for (const [path, operand] of Object.entries(filter)) {
    const spec = isOperators(operand)
      ? (ownValue(operand, '$near') ?? ownValue(operand, '$nearSphere'))
      : undefined;
    if (!isDoc(spec)) continue;
    if (Object.keys(operand ?? {}).length > 1) throw notSupported('a condition beside $near on one field');
    const { [path]: _, ...rest } = filter;
    return { path, near: parseNear(spec), rest };
  }
  return undefined;
}

/** Radius of the first search of `$near`, in meters; each further one doubles it. */
const FIRST_RADIUS = 250;

/** Yields the documents within reach of a center, nearest first, lazily. */
function byDistance(collection: Collection, { path, near: { center, max } }: NearFilter): Access {
  const index = geoIndex(collection, path);
  if (!index) throw new ServerError(291, 'unable to find index for $geoNear query');
  const parts = path.split('.');
  function* candidates() {
    let inner = -1;
    for (let radius = FIRST_RADIUS; inner < max; radius *= 2) {
      const isLast = radius >= max || isNearlyGlobal(boxAround(center, radius));
      const outer = isLast ? max : radius;
      const ring: { stored: Stored; meters: number }[] = [];
      for (const stored of new Set(index?.inBox(boxAround(center, outer)))) {
        const point = pointOf(valueAt(stored.doc, parts));
        const meters = point ? distance(center, point) : Infinity;
        if (meters > inner && meters <= outer) ring.push({ stored, meters });
      }
      for (const { stored } of ring.sort((a, b) => a.meters - b.meters)) yield stored;
      inner = outer;
    }
  }
  return { index, candidates, score: 0 };
}

/** Plans a query, and rejects everything whose behavior in MongoDB is not implemented. */
export function plan(collection: Collection, { filter, sort: order = {}, hint }: Query): Plan {
  const sort = parseSort(order);
  const near = nearOf(filter);
  const matches = compileFilter(near?.rest ?? filter);
  if (near && hint !== undefined) throw notSupported('a hint beside $near');
  const access = near ? byDistance(collection, near) : choose(collection, filter, sort, hint);
  if (!access.index && collection.noTableScan && collection.number > 0 && Object.keys(filter).length > 0) {
    const paths = Object.keys(filter).join(', ');
    throw new ServerError(291, `no index of ${collection.namespace} serves ${paths}, and notablescan is on`);
  }
  return { index: access.index, candidates: access.candidates(), matches, sort: access.sorted ? [] : sort };
}

/** Returns the documents that a query selects, in its order. */
export function select(collection: Collection, query: Query): Stored[] {
  const { skip = 0, limit = 0 } = query;
  const { candidates, matches, sort } = plan(collection, query);
  const limitWithSkip = limit > 0 ? skip + limit : Infinity;
  const found: Stored[] = [];
  for (const stored of candidates) {
    if (matches(stored.doc)) found.push(stored);
    if (sort.length === 0 && found.length >= limitWithSkip) break;
  }
  return (sort.length > 0 ? sortBy(found, ({ doc }) => doc, sort, limitWithSkip) : found).slice(skip);
}
