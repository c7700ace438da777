import { badValue, notSupported, ServerError } from './errors.ts';
import { compileExpression } from './expressions.ts';
import { compileFilter, isOperators } from './matcher.ts';
import { type Doc, isDoc, numberOf, own, put } from './values.ts';

/** What becomes of a field: kept or dropped whole, or replaced by what a function makes of it. */
type Leaf = boolean | ((value: unknown) => unknown);
type Tree = Map<string, Tree | Leaf>;
export type Projection = (doc: Doc) => Doc;

function plant(tree: Tree, path: string, leaf: Leaf): void {
  const parts = path.split('.');
  const last = parts.pop() ?? '';
  let at = tree;
  for (const part of parts) {
    const next = at.get(part) ?? new Map();
    if (!(next instanceof Map)) throw new ServerError(31249, `Path collision at ${path}`);
    at.set(part, next);
    at = next;
  }
  if (parts.includes('') || last === '')
    throw new ServerError(40353, 'FieldPath must not contain empty parts.');
  if (at.has(last)) throw new ServerError(31250, `Path collision at ${path}`);
  at.set(last, leaf);
}

function slice(operand: unknown): Leaf {
  const numbers = (Array.isArray(operand) ? operand : [operand]).map(numberOf);
  const [first, count] = numbers;
  if (!numbers.every(Number.isInteger) || numbers.length > 2 || first === undefined || (count ?? 1) <= 0) {
    throw new ServerError(28667, '$slice takes a number, or a number to skip and a positive limit');
  }
  return (value) => {
    if (!Array.isArray(value)) return value;
    if (count === undefined) return first < 0 ? value.slice(first) : value.slice(0, first);
    const start = first < 0 ? Math.max(0, value.length + first) : first;
    return value.slice(start, start + count);
  };
}

function elemMatch(operand: unknown): Leaf {
  const matcher = compileFilter({ list: { $elemMatch: operand } });
  return (value) => {
    const found = Array.isArray(value) ? value.findIndex((item) => matcher({ list: [item] })) : -1;
    return Array.isArray(value) && found >= 0 ? [value[found]] : undefined;
  };
}

/** Applies a tree to a value; `kept` says what becomes of the fields that it does not name. */
function project(value: unknown, tree: Tree, kept: boolean): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => project(item, tree, kept)).filter((item) => item !== undefined);
  }
  if (!isDoc(value)) return kept ? value : undefined;
  const result: Doc = {};
  for (const key of Object.keys(value)) {
    const leaf = tree.get(key) ?? kept;
    let after = leaf === false ? undefined : value[key];
    if (typeof leaf === 'function') after = leaf(after);
    else if (leaf instanceof Map) after = project(after, leaf, kept);
    if (after !== undefined) put(result, key, after);
  }
  return result;
}

/** Puts a computed value into a document, copying the documents on the way. */
function setComputed(doc: Doc, [first = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    if (value === undefined) delete doc[first];
    else put(doc, first, value);
    return;
  }
  const within = (inner: unknown) => {
    const copy = isDoc(inner) ? { ...inner } : {};
    setComputed(copy, rest, value);
    return copy;
  };
  const inner = own(doc, first);
  put(doc, first, Array.isArray(inner) ? inner.map(within) : within(inner));
}

/** Compiles computed fields, which are reckoned from one document and put into another. */
export function compileFields(spec: Doc, variables?: Doc): (doc: Doc, into: Doc) => Doc {
  const fields = Object.entries(spec).map(([path, operand]) => {
    const parts = path.split('.');
    if (path.startsWith('$') || parts.includes('')) throw new ServerError(16410, `bad field name: ${path}`);
    return { parts, value: compileExpression(operand, variables) };
  });
  return (doc, into) => {
    for (const { parts, value } of fields) setComputed(into, parts, value(doc));
    return into;
  };
}

/** The fields of a projection with their full paths. */
function flatten(spec: Doc, prefix = ''): [path: string, operand: unknown][] {
  return Object.entries(spec).flatMap(([key, operand]): [string, unknown][] => {
    if (!isDoc(operand) || isOperators(operand)) return [[prefix + key, operand]];
    if (Object.keys(operand).length > 0) return flatten(operand, `${prefix}${key}.`);
    throw new ServerError(51270, 'An empty sub-projection is not a valid value');
  });
}

/** Compiles a projection, of `find` or of the stage `$project`. */
export function compileProjection(spec: Doc, ofFind: boolean, variables?: Doc): Projection {
  const tree: Tree = new Map();
  const computed: Doc = {};
  let including: boolean | undefined;
  const choose = (wanted: boolean, path: string) => {
    including ??= wanted;
    if (wanted === including) return;
    const [code, one, other] = wanted ? [31253, 'inclusion', 'exclusion'] : [31254, 'exclusion', 'inclusion'];
    throw new ServerError(Number(code), `Cannot do ${one} on field ${path} in ${other} projection`);
  };
  for (const [path, operand] of flatten(spec)) {
    const number = numberOf(operand);
    const flag = typeof operand === 'boolean' ? operand : number === undefined ? undefined : number !== 0;
    const [name = ''] = isDoc(operand) ? Object.keys(operand) : [];
    if (path.startsWith('$'))
      throw new ServerError(16410, `FieldPath field names may not start with '$': ${path}`);
    if (/\.\$(\.|$)/.test(path) || name === '$meta') throw notSupported(`the projection of ${path}`);
    if (flag !== undefined) {
      if (path !== '_id') choose(flag, path);
      plant(tree, path, flag);
    } else if (ofFind && isDoc(operand) && name === '$slice') plant(tree, path, slice(operand.$slice));
    else {
      choose(true, path);
      if (ofFind && isDoc(operand) && name === '$elemMatch') plant(tree, path, elemMatch(operand.$elemMatch));
      else {
        if (Array.isArray(operand) && ofFind) throw badValue(`the projection of ${path} cannot be an array`);
        plant(tree, path, false);
        computed[path] = operand;
      }
    }
  }
  const kept = !(including ?? tree.get('_id') === true);
  if (!kept && !tree.has('_id')) tree.set('_id', true);
  const fields = compileFields(computed, variables);
  return (doc) => {
    const result = project(doc, tree, kept);
    return isDoc(result) ? fields(doc, result) : {};
  };
}
