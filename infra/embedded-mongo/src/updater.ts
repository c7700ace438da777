import { BSONRegExp, Timestamp } from 'bson';
import { badValue, failedToParse, notSupported, ServerError, typeMismatch } from './errors.ts';
import { compileCondition, compileFilter, conditionsOf, isOperators, matchedPosition } from './matcher.ts';
import { compare, equal, parseSort } from './order.ts';
import { isIndex, valueAt } from './paths.ts';
import { clone, type Doc, isDoc, makeNumber, numberOf, own, put, typeName, widest } from './values.ts';

const REMOVE = Symbol('remove');
/** The new value for what stands at a path; undefined leaves it missing, REMOVE takes it away. */
type Change = (before: unknown) => unknown;
type Step = { parts: string[]; creates: boolean; change: Change; from?: string[] };
export type Update = { steps: Step[]; onInsert: Step[] };

function arithmetic(name: string, operand: unknown, reckon: (a: number, b: number) => number): Change {
  const right = numberOf(operand);
  if (right === undefined)
    throw typeMismatch(`Cannot apply ${name} with non-numeric argument: ${typeName(operand)}`);
  return (before) => {
    const left = before === undefined ? 0 : numberOf(before);
    if (left !== undefined) return makeNumber(widest([before ?? operand, operand]), reckon(left, right));
    throw typeMismatch(`Cannot apply ${name} to a value of non-numeric type ${typeName(before)}`);
  };
}

/** A change of an array; a missing one counts as empty when `creates`. */
const ofArray =
  (name: string, creates: boolean, change: (list: unknown[]) => unknown[]): Change =>
  (before) => {
    if (before === undefined && !creates) return before;
    if (before === undefined || Array.isArray(before)) return change(before ?? []);
    throw badValue(`Cannot apply ${name} to a non-array field of type ${typeName(before)}`);
  };

/** The values of `$each`, or the operand itself as the only one. */
function each(name: string, operand: unknown, clauses: string[]): { added: unknown[]; clauses: Doc } {
  if (!isDoc(operand) || !Object.hasOwn(operand, '$each')) return { added: [operand], clauses: {} };
  const unknown = Object.keys(operand).find((key) => key !== '$each' && !clauses.includes(key));
  if (unknown) throw badValue(`Unrecognized clause in ${name}: ${unknown}`);
  if (Array.isArray(operand.$each)) return { added: operand.$each, clauses: operand };
  throw badValue(
    `The argument to $each in ${name} must be an array but it was of type ${typeName(operand.$each)}`,
  );
}

function integer(clauses: Doc, name: string): number | undefined {
  const number = numberOf(own(clauses, name));
  if (!Object.hasOwn(clauses, name) || Number.isInteger(number)) return number;
  throw badValue(`The value for ${name} must be an integer value`);
}

function sorter(spec: unknown): (a: unknown, b: unknown) => number {
  if (!isDoc(spec)) {
    const direction = numberOf(spec);
    if (direction !== 1 && direction !== -1) throw badValue('The $sort element value must be either 1 or -1');
    return (a, b) => direction * compare(a, b);
  }
  const fields = parseSort(spec);
  return (a, b) => {
    for (const { parts, descending } of fields) {
      const order = compare(valueAt(a, parts), valueAt(b, parts));
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
}

function push(operand: unknown): Change {
  const { added, clauses } = each('$push', operand, ['$slice', '$position', '$sort']);
  const [position, slice] = [integer(clauses, '$position'), integer(clauses, '$slice')];
  const order = Object.hasOwn(clauses, '$sort') ? sorter(clauses.$sort) : undefined;
  return ofArray('$push', true, (before) => {
    const list = before.toSpliced(position ?? before.length, 0, ...added.map((item) => clone(item)));
    if (order) list.sort(order);
    return slice === undefined ? list : slice >= 0 ? list.slice(0, slice) : list.slice(slice);
  });
}

function addToSet(operand: unknown): Change {
  const { added } = each('$addToSet', operand, []);
  return ofArray('$addToSet', true, (before) => {
    const list = before.slice();
    for (const item of added) if (!list.some((known) => equal(known, item))) list.push(clone(item));
    return list;
  });
}

/** A document is a filter for documents, anything else a condition on the elements. */
function pull(operand: unknown): Change {
  const filters =
    isDoc(operand) &&
    (!isOperators(operand) || Object.keys(operand).some((key) => /^\$(and|n?or)$/.test(key)));
  const matches = filters ? compileFilter(operand) : compileCondition('item', operand);
  const gone = (item: unknown) => (filters ? isDoc(item) && matches(item) : matches({ item }));
  return ofArray('$pull', false, (list) => list.filter((item) => !gone(item)));
}

function pullAll(operand: unknown): Change {
  if (!Array.isArray(operand))
    throw badValue(`$pullAll requires an array argument but was given ${typeName(operand)}`);
  return ofArray('$pullAll', false, (list) =>
    list.filter((item) => !operand.some((gone) => equal(gone, item))),
  );
}

function pop(operand: unknown): Change {
  const side = numberOf(operand);
  if (side !== 1 && side !== -1) throw failedToParse('$pop expects 1 or -1');
  const change = ofArray('$pop', false, (list) => (side === 1 ? list.slice(0, -1) : list.slice(1)));
  return (before) => {
    if (before === undefined || Array.isArray(before)) return change(before);
    throw typeMismatch(`Path contains an element of non-array type '${typeName(before)}'`);
  };
}

function currentDate(operand: unknown): Change {
  const type = isDoc(operand) ? own(operand, '$type') : typeof operand === 'boolean' ? 'date' : undefined;
  if (type === 'date') return () => new Date();
  if (type === 'timestamp') return () => new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 });
  throw badValue('$currentDate takes true or {$type: "date" | "timestamp"}');
}

const better =
  (wanted: 1 | -1, operand: unknown): Change =>
  (before) =>
    before === undefined || wanted * compare(operand, before) > 0 ? clone(operand) : before;

const modifiers: Record<string, (operand: unknown) => Change> = {
  $set: (operand) => () => clone(operand),
  $setOnInsert: (operand) => () => clone(operand),
  $unset: () => () => REMOVE,
  $inc: (operand) => arithmetic('$inc', operand, (a, b) => a + b),
  $mul: (operand) => arithmetic('$mul', operand, (a, b) => a * b),
  $min: (operand) => better(-1, operand),
  $max: (operand) => better(1, operand),
  $push: push,
  $addToSet: addToSet,
  $pull: pull,
  $pullAll: pullAll,
  $pop: pop,
  $currentDate: currentDate,
  $rename: () => () => REMOVE,
};
const PASSIVE = new Set(['$unset', '$pull', '$pullAll', '$pop', '$rename']);

/** Compares paths part by part, positions in arrays as numbers: the order in which fields are changed. */
function byPath(a: Step, b: Step): number {
  for (const [i, left] of a.parts.entries()) {
    const right = b.parts[i];
    if (left === right) continue;
    if (right === undefined) return 1;
    return isIndex(left) && isIndex(right) ? Number(left) - Number(right) : left < right ? -1 : 1;
  }
  return a.parts.length - b.parts.length;
}

function partsOf(path: string): string[] {
  const parts = path.split('.');
  if (parts.includes('')) {
    throw new ServerError(
      56,
      `The update path '${path}' contains an empty field name, which is not allowed.`,
    );
  }
  if (parts.some((part) => part.startsWith('$['))) throw notSupported(`the update path '${path}'`);
  if (parts[0]?.startsWith('$'))
    throw new ServerError(52, `The dollar ($) prefixed field '${path}' is not valid.`);
  return parts;
}

function stepsOf(name: string, path: string, operand: unknown): Step[] {
  const parts = partsOf(path);
  const make = modifiers[name] ?? currentDate;
  const step = { parts, creates: !PASSIVE.has(name), change: make(operand) };
  if (name !== '$rename') return [step];
  if (typeof operand !== 'string') throw badValue(`The 'to' field for $rename must be a string: ${path}`);
  if ((path + operand).includes('$')) throw badValue('The source and target of $rename must not be dynamic');
  return [step, { parts: partsOf(operand), creates: true, change: () => undefined, from: parts }];
}

/** Reads an update of operators. */
export function parseUpdate(spec: Doc): Update {
  const steps: Step[] = [];
  const onInsert: Step[] = [];
  for (const [name, fields] of Object.entries(spec)) {
    if (name === '$bit') throw notSupported(name);
    if (!Object.hasOwn(modifiers, name)) {
      throw failedToParse(
        `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update`,
      );
    }
    if (!isDoc(fields))
      throw failedToParse(`Modifiers operate on fields but we found ${typeName(fields)}: ${name}`);
    for (const [path, operand] of Object.entries(fields)) {
      (name === '$setOnInsert' ? onInsert : steps).push(...stepsOf(name, path, operand));
    }
  }
  const paths = [...steps, ...onInsert].map(({ parts }) => `${parts.join('.')}.`).sort();
  const clash = paths.find((path, i) => i > 0 && path.startsWith(paths[i - 1] ?? ''));
  if (clash) throw new ServerError(40, `Updating the path '${clash.slice(0, -1)}' would create a conflict`);
  return { steps, onInsert };
}

const MAX_PADDING = 1_500_000;

/** Changes what stands at a path, making the documents on the way when the step may. */
function changeAt(root: Doc, parts: string[], creates: boolean, change: Change): void {
  let at: unknown = root;
  for (const [i, part] of parts.entries()) {
    const last = i === parts.length - 1;
    const list = Array.isArray(at) ? at : undefined;
    const doc = isDoc(at) ? at : undefined;
    if (!doc && !(list && isIndex(part))) {
      if (!creates) return;
      throw new ServerError(
        28,
        `Cannot create field '${part}' in element {${parts[i - 1]}: ${typeName(at)}}`,
      );
    }
    const before = list ? list[Number(part)] : doc && own(doc, part);
    if (!last && before === undefined && !creates) return;
    const after = last ? change(before) : before === undefined ? {} : before;
    if (after === undefined || (after === REMOVE && before === undefined)) return;
    if (list) {
      if (Number(part) > list.length + MAX_PADDING)
        throw badValue('the array would have to be padded too far');
      while (list.length < Number(part)) list.push(null);
      list[Number(part)] = after === REMOVE ? null : after;
    } else if (doc && after === REMOVE) delete doc[part];
    else if (doc) put(doc, part, after);
    at = after;
  }
}

/** Puts the position that made the document match in the place of `$`. */
function concrete(doc: Doc, parts: string[], filter: Doc): string[] {
  const at = parts.findIndex((part) => part.startsWith('$'));
  if (at < 0) return parts;
  const position = matchedPosition(filter, doc, parts.slice(0, at).join('.'));
  if (parts[at] !== '$' || position === undefined) {
    throw badValue('The positional operator did not find the match needed from the query.');
  }
  return concrete(doc, parts.with(at, String(position)), filter);
}

function throughArray(doc: Doc, parts: string[]): boolean {
  return parts.some((_, i) => Array.isArray(valueAt(doc, parts.slice(0, i))));
}

/** The document as the update leaves it; the given one, which the filter matched, stays as it is. */
export function applyUpdate(doc: Doc, { steps, onInsert }: Update, filter: Doc, inserting: boolean): Doc {
  const changed = clone(doc);
  for (const { parts, creates, change, from } of (inserting ? [...steps, ...onInsert] : steps).toSorted(
    byPath,
  )) {
    const moved = from && valueAt(doc, from);
    if (from && moved === undefined) continue;
    if (from && (throughArray(doc, from) || throughArray(doc, parts))) {
      throw badValue('The source and target of $rename cannot be elements of an array');
    }
    changeAt(changed, concrete(doc, parts, filter), creates, from ? () => clone(moved) : change);
  }
  return changed;
}

/** What an upsert starts from: the equalities of the filter. */
export function documentFrom(filter: Doc): Doc {
  const doc: Doc = {};
  for (const [path, operand] of conditionsOf(filter)) {
    let value = operand;
    if (isOperators(operand)) {
      const all = own(operand, '$all');
      if (!Object.hasOwn(operand, '$eq') && !(Array.isArray(all) && all.length === 1 && !isOperators(all[0])))
        continue;
      value = Object.hasOwn(operand, '$eq') ? operand.$eq : Array.isArray(all) ? all[0] : undefined;
    }
    if (value instanceof BSONRegExp) continue;
    changeAt(doc, path.split('.'), true, (before) => {
      if (before === undefined) return clone(value);
      throw new ServerError(54, `cannot infer query fields to set, path '${path}' is matched twice`);
    });
  }
  return doc;
}
