import { notSupported, ServerError } from './errors.ts';
import { type Doc, isDoc, numberOf, ownValue } from './values.ts';

/** Whether a path part can be a position in an array. */
export const isIndex = (part: string) => /^(0|[1-9]\d*)$/.test(part);

/** Called with each value a path leads to; true stops the walk. `exact` when an array position led there. */
export type Visit = (value: unknown, exact: boolean) => boolean;

/**
 * Visits the values at a dotted path, through arrays as in MongoDB's queries: each subdocument of an array, and the
 * position of a numeric part. A missing value is undefined.
 */
export function visitPath(value: unknown, parts: string[], visit: Visit, from = 0, exact = false): boolean {
  const part = parts[from];
  if (part === undefined) return visit(value, exact);
  if (!Array.isArray(value))
    return visitPath(isDoc(value) ? ownValue(value, part) : undefined, parts, visit, from + 1);
  for (const item of value) if (isDoc(item) && visitPath(item, parts, visit, from)) return true;
  if (!isIndex(part) || Number(part) >= value.length) return false;
  const item: unknown = value[Number(part)];
  const reachable = from + 1 === parts.length || isDoc(item) || Array.isArray(item);
  return reachable && visitPath(item, parts, visit, from + 1, true);
}

/** The value at a path of fields; an array on the way becomes the array of its documents' values. */
export function valueAt(value: unknown, parts: string[], from = 0): unknown {
  const part = parts[from];
  if (part === undefined) return value;
  if (!Array.isArray(value))
    return isDoc(value) ? valueAt(ownValue(value, part), parts, from + 1) : undefined;
  const found = value.filter(isDoc).map((item) => valueAt(item, parts, from));
  return found.filter((item) => item !== undefined);
}

/** As visitPath; if the path ends at an array, each of its elements before the array itself. */
export function visitLeaves(value: unknown, parts: string[], visit: Visit): boolean {
  const visitEach: Visit = (found, exact) => {
    if (Array.isArray(found) && !exact) for (const item of found) if (visit(item, true)) return true;
    return visit(found, exact);
  };
  return visitPath(value, parts, visitEach);
}

/** Compiles a projection of included or excluded fields. */
export function compileProjection(spec: Doc): (doc: Doc) => Doc {
  const named = new Map([['_id', true]]);
  let including: boolean | undefined;
  for (const [name, operand] of Object.entries(spec)) {
    const flag = typeof operand === 'boolean' ? operand : numberOf(operand);
    if (flag === undefined || !/^[^.$]+$/.test(name)) throw notSupported(`such a projection of '${name}'`);
    const isIncluded = flag !== false && flag !== 0;
    named.set(name, isIncluded);
    if (name !== '_id') including ??= isIncluded;
    if (name === '_id' || isIncluded === including) continue;
    throw new ServerError(
      isIncluded ? 31253 : 31254,
      `Cannot both include and exclude fields in a projection: ${name}`,
    );
  }
  const others = !(including ?? named.get('_id'));
  return (doc) => Object.fromEntries(Object.entries(doc).filter(([name]) => named.get(name) ?? others));
}
