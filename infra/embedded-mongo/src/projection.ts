import { BSONRegExp } from 'bson';
import { badValue, notSupported, ServerError } from './errors.ts';
import { compileExpression } from './expressions.ts';
import { compileFilter, isOperators, matchedPosition } from './matcher.ts';
import { visitPath } from './paths.ts';
import { type Doc, isDoc, numberOf, own, put } from './values.ts';

type Tree = Map<string, Tree | Leaf>;
/** What becomes of a field: kept or dropped whole, or replaced by what a function makes of it. */
type Leaf = boolean | ((value: unknown, root: Doc) => unknown);
export type Projection = (doc: Doc) => Doc;

const conflict = (path: string) => new ServerError(31249, `Path collision at ${path}`);

function plant(tree: Tree, path: string, leaf: Leaf): void {
  const parts = path.split('.');
  const last = parts.pop() ?? '';
  let at = tree;
  for (const part of parts) {
    const next = at.get(part) ?? new Map();
    if (!(next instanceof Map)) throw conflict(path);
    at.set(part, next);
    at = next;
  }
  if (parts.includes('') || last === '')
    throw new ServerError(40353, 'FieldPath must not contain empty parts.');
  if (at.has(last)) throw conflict(path);
  at.set(last, leaf);
}

function sliceOf(operand: unknown): Leaf {
  const numbers = (Array.isArray(operand) ? operand : [operand]).map((item) =>
    Math.trunc(numberOf(item) ?? Number.NaN),
  );
  const [first = Number.NaN, count] = numbers;
  if (numbers.some(Number.isNaN) || numbers.length > 2)
    throw badValue('$slice takes a number or [skip, limit]');
  if (count !== undefined && count <= 0) throw new ServerError(28724, '$slice limit must be positive');
  return (value) => {
    if (!Array.isArray(value)) return value;
    if (count === undefined) return first < 0 ? value.slice(first) : value.slice(0, first);
    const start = first < 0 ? Math.max(0, value.length + first) : first;
    return value.slice(start, start + count);
  };
}

function elemMatchOf(operand: unknown): Leaf {
  const matcher = compileFilter({ list: { $elemMatch: operand } });
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const found = value.find((item) => matcher({ list: [item] }));
    return found === undefined ? undefined : [found];
  };
}

function positional(path: string, filter: Doc): Leaf {
  return (value, root) => {
    const position = matchedPosition(filter, root, path);
    if (position === undefined || !Array.isArray(value)) {
      throw new ServerError(
        51246,
        "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array",
      );
    }
    return [value[position]];
  };
}

/** Applies a tree to a value: `kept` says what becomes of the fields that the tree does not name. */
function project(value: Doc, tree: Tree, kept: boolean, root: Doc): Doc {
  const result: Doc = {};
  for (const key of Object.keys(value)) {
    const leaf = tree.get(key);
    if (leaf === undefined ? kept : leaf === true) put(result, key, value[key]);
    else if (typeof leaf === 'function') assign(result, key, leaf(value[key], root));
    else if (leaf instanceof Map) assign(result, key, projectAny(value[key], leaf, kept, root));
  }
  return result;
}

function assign(result: Doc, key: string, value: unknown): void {
  if (value !== undefined) put(result, key, value);
}

function projectAny(value: unknown, tree: Tree, kept: boolean, root: Doc): unknown {
  if (isDoc(value)) return project(value, tree, kept, root);
  if (!Array.isArray(value)) return kept ? value : undefined;
  return value.map((item) => projectAny(item, tree, kept, root)).filter((item) => item !== undefined);
}

/** Puts computed fields into a document, going into the documents on the way. */
export function setComputed(doc: Doc, parts: string[], value: unknown): void {
  const [first = '', ...rest] = parts;
  if (rest.length === 0) {
    if (value !== undefined) put(doc, first, value);
    return;
  }
  const inner = own(doc, first);
  const each = (item: unknown) => {
    const copy = isDoc(item) ? { ...item } : {};
    setComputed(copy, rest, value);
    return copy;
  };
  put(doc, first, Array.isArray(inner) ? inner.map(each) : each(inner));
}

type Entry = { path: string; operand: unknown };

function entriesOf(spec: Doc, prefix = ''): Entry[] {
  return Object.entries(spec).flatMap(([key, operand]) => {
    const path = prefix + key;
    if (isDoc(operand) && !isOperators(operand)) {
      if (Object.keys(operand).length === 0)
        throw new ServerError(51270, 'An empty sub-projection is not a valid value');
      return entriesOf(operand, `${path}.`);
    }
    return [{ path, operand }];
  });
}

/** Compiles a projection of `find`, or of `$project` when it is not given the filter of a find. */
export function compileProjection(spec: Doc, filter?: Doc, variables?: Doc): Projection {
  const tree: Tree = new Map();
  const computed: { parts: string[]; value: (doc: unknown) => unknown }[] = [];
  let mode: boolean | undefined;
  let idKept: boolean | undefined;
  const choose = (including: boolean, path: string) => {
    if (mode !== undefined && mode !== including) {
      const [code, kind] = including ? [31253, 'inclusion'] : [31254, 'exclusion'];
      throw new ServerError(
        code,
        `Cannot do ${kind} on field ${path} in ${including ? 'exclusion' : 'inclusion'} projection`,
      );
    }
    mode = including;
  };
  for (const { path, operand } of entriesOf(spec)) {
    const flag =
      typeof operand === 'boolean'
        ? operand
        : numberOf(operand) === undefined
          ? undefined
          : numberOf(operand) !== 0;
    const [name] = isDoc(operand) ? Object.keys(operand) : [];
    if (path.startsWith('$'))
      throw new ServerError(16410, `FieldPath field names may not start with '$': ${path}`);
    if (path === '_id' && flag !== undefined) idKept = flag;
    else if (path.endsWith('.$') && filter && flag === true) {
      choose(true, path);
      plant(tree, path.slice(0, -2), positional(path.slice(0, -2), filter));
    } else if (flag !== undefined) {
      choose(flag, path);
      plant(tree, path, flag);
    } else if (filter && isDoc(operand) && name === '$slice') plant(tree, path, sliceOf(operand.$slice));
    else if (filter && isDoc(operand) && name === '$elemMatch') {
      choose(true, path);
      plant(tree, path, elemMatchOf(operand.$elemMatch));
    } else if (name === '$meta' || operand instanceof BSONRegExp)
      throw notSupported(`the projection of ${path}`);
    else {
      choose(true, path);
      plant(tree, path, false);
      computed.push({ parts: path.split('.'), value: compileExpression(operand, variables) });
    }
  }
  const including = mode ?? (tree.size === 0 && idKept === true);
  const kept = !including;
  if (!tree.has('_id')) {
    if (idKept !== undefined) tree.set('_id', idKept);
    else if (including) tree.set('_id', true);
  }
  return (doc) => {
    const result = project(doc, tree, kept, doc);
    for (const { parts, value } of computed) setComputed(result, parts, value(doc));
    return result;
  };
}

/** The values of a field over documents, each array's elements for themselves, as `distinct` sees them. */
export function leavesOf(doc: Doc, path: string): unknown[] {
  const found: unknown[] = [];
  visitPath(doc, path.split('.'), (value, exact) => {
    if (Array.isArray(value) && !exact) found.push(...value);
    else if (value !== undefined) found.push(value);
    return false;
  });
  return found;
}
