import { BSONRegExp } from 'bson';
import type { Collection } from './engine.ts';
import { badValue, notSupported, ServerError } from './errors.ts';
import { boxAround, distance, type Near, parseNear, parseShape, pointOf } from './geo.ts';
import { type Index, type IndexField, isNearlyGlobal, type Stored } from './indexes.ts';
import { compileFilter, conditionsOf, isOperators, type Matcher } from './matcher.ts';
import { AFTER_ALL, bracketOf, equal, invert, keyOf, NULL_KEY } from './order.ts';
import { valueAt } from './paths.ts';
import { parseSort, type SortField, sortBy } from './sort.ts';
import { type Doc, isDoc, ownValue } from './values.ts';

/** A limit of 0 is none. */
export type Query = { filter: Doc; sort?: Doc; skip?: number; limit?: number; hint?: unknown };
/** The bounds that the conditions on one path impose on an index's keys. */
type Bounds = { points?: string[]; ranges: [low: string, high: string][] };
/** A access to find candidates: possibly too many, never too few. A higher score means fewer. */
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
      bounds.ranges.push(bracketOf(valuesOfTypes.get(value)));
    else if (/^\$[gl]te?$/.test(name) && value !== null && !isUnindexed(value)) {
      const [low, high] = bracketOf(value);
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

const MAX_SPANS = 2000;

function* once(all: Iterable<Stored>): Generator<Stored> {
  const seen = new Set<Stored>();
  for (const stored of all) if (!seen.has(stored) && seen.add(stored)) yield stored;
}

/** Access by an index: equalities on its first fields, a range on the next one, and the order of the rest. */
function byIndex(index: Index, all: Map<string, Bounds>, sort: SortField[]): Access {
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
  // Different elements of an array may satisfy different bounds, so only one of them can be used.
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
  function* scan() {
    for (const prefix of prefixes)
      yield* next ? index.between(prefix + low, prefix + high, backwards) : index.at(prefix);
  }
  const candidates = () => (index.multikey || prefixes.length > 1 ? once(scan()) : scan());
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
    return [{ index, candidates: () => once(index.inBox(parseShape(shape).box)), score: 6 }];
  });
}

const geoIndex = ({ indexes }: Collection, path: string) =>
  indexes.find(({ geo, fields }) => geo && fields[0]?.path === path);

function hinted(collection: Collection, hint: unknown): Index | undefined {
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
  const wanted = hinted(collection, hint);
  if (wanted) return byIndex(wanted, all, sort);
  const throughAll: Access = { candidates: () => collection.stored, score: 1 };
  const usable = collection.indexes.filter((index) => !index.geo && covers(index, all));
  const accesses = usable.map((index) => byIndex(index, all, sort));
  const others = [...byClauses(collection, filter), ...byCells(collection, conditions)];
  return [...accesses, ...others].reduce(
    (best, access) => (access.score > best.score ? access : best),
    throughAll,
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
const FIRST_REACH = 250;

/** Yields the documents within reach of a center, nearest first, as far as they are requested. */
function byDistance(collection: Collection, { path, near: { centre, max } }: NearFilter): Access {
  const index = geoIndex(collection, path);
  if (!index) throw new ServerError(291, 'unable to find index for $geoNear query');
  const parts = path.split('.');
  function* candidates() {
    let inner = -1;
    for (let reach = FIRST_REACH; inner < max; reach *= 2) {
      const isLast = reach >= max || isNearlyGlobal(boxAround(centre, reach));
      const outer = isLast ? max : reach;
      const ring: { stored: Stored; metres: number }[] = [];
      for (const stored of new Set(index?.inBox(boxAround(centre, outer)))) {
        const point = pointOf(valueAt(stored.doc, parts));
        const metres = point ? distance(centre, point) : Infinity;
        if (metres > inner && metres <= outer) ring.push({ stored, metres });
      }
      for (const { stored } of ring.sort((a, b) => a.metres - b.metres)) yield stored;
      inner = outer;
    }
  }
  return { index, candidates, score: 0 };
}

/** Plans a query, and rejects everything that this server would have to guess. */
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
  const wanted = limit > 0 ? skip + limit : Infinity;
  const found: Stored[] = [];
  for (const stored of candidates) {
    if (matches(stored.doc)) found.push(stored);
    if (sort.length === 0 && found.length >= wanted) break;
  }
  return (sort.length > 0 ? sortBy(found, ({ doc }) => doc, sort, wanted) : found).slice(skip);
}
