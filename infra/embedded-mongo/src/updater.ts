import { BSONRegExp, Timestamp } from 'bson';
import { badValue, failedToParse, ServerError, typeMismatch } from './errors.ts';
import {
  compileCondition,
  compileFilter,
  conditionsOf,
  isOperators,
  type Matcher,
  matchedPosition,
} from './matcher.ts';
import { compare, equal, parseSort } from './order.ts';
import { isIndex, valueAt } from './paths.ts';
import {
  clone,
  type Doc,
  isDoc,
  makeNumber,
  type NumberKind,
  numberKind,
  numberOf,
  own,
  put,
  typeName,
} from './values.ts';

const REMOVE = Symbol('remove');
/** The new value for what stands at a path, or REMOVE. */
type Change = (before: unknown) => unknown;
type Step = { path: string; parts: string[]; creates: boolean; change: Change; moveTo?: string };
export type Update = { steps: Step[]; onInsert: Step[] };
export type ArrayFilters = Map<string, Matcher>;
/** What the positional parts of a path refer to. */
export type Target = { filter: Doc; filters: ArrayFilters };

/** Reads `arrayFilters`: each a condition on one named identifier. */
export function parseArrayFilters(list: unknown): ArrayFilters {
  const filters: ArrayFilters = new Map();
  if (list === undefined) return filters;
  if (!Array.isArray(list)) throw typeMismatch('arrayFilters must be an array');
  for (const filter of list) {
    if (!isDoc(filter)) throw typeMismatch('each array filter must be a document');
    const names = new Set(identifiers(filter));
    const [name, ...more] = names;
    if (name === undefined || more.length > 0) {
      throw failedToParse(
        'Error parsing array filter :: caused by :: Expected a single top-level field name',
      );
    }
    if (!/^[a-z][A-Za-z0-9]*$/.test(name))
      throw badValue(`The array filter identifier '${name}' is not valid`);
    if (filters.has(name))
      throw failedToParse(`Found multiple array filters with the same top-level field name ${name}`);
    const matcher = compileFilter(filter);
    filters.set(name, (item) => matcher({ [name]: item }));
  }
  return filters;
}

function identifiers(filter: Doc): string[] {
  return Object.entries(filter).flatMap(([key, operand]) => {
    if (!key.startsWith('$')) return [key.split('.')[0] ?? ''];
    return Array.isArray(operand)
      ? operand.flatMap((clause) => (isDoc(clause) ? identifiers(clause) : []))
      : [];
  });
}

const KINDS: NumberKind[] = ['int', 'long', 'double'];

function arithmetic(name: string, operand: unknown, reckon: (a: number, b: number) => number): Change {
  const right = numberOf(operand);
  const verb = name === '$inc' ? 'increment' : 'multiply';
  if (right === undefined)
    throw typeMismatch(`Cannot ${verb} with non-numeric argument: ${typeName(operand)}`);
  return (before) => {
    const left = before === undefined ? 0 : numberOf(before);
    if (left === undefined) {
      throw typeMismatch(`Cannot apply ${name} to a value of non-numeric type ${typeName(before)}`);
    }
    const kinds = before === undefined ? [numberKind(operand)] : [numberKind(before), numberKind(operand)];
    const kind = KINDS[Math.max(...kinds.map((each) => KINDS.indexOf(each)))] ?? 'double';
    return makeNumber(kind, reckon(left, right));
  };
}

function needArray(name: string, value: unknown): unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw badValue(`Cannot apply ${name} to a non-array value: the field is of type ${typeName(value)}`);
}

/** The values of `$each`, or the operand itself as the only one. */
function each(name: string, operand: unknown, modifiers: string[]): unknown[] {
  if (!isDoc(operand) || !Object.hasOwn(operand, '$each')) return [operand];
  for (const key of Object.keys(operand)) {
    if (key !== '$each' && !modifiers.includes(key)) throw badValue(`Unrecognized clause in ${name}: ${key}`);
  }
  if (!Array.isArray(operand.$each)) {
    throw typeMismatch(
      `The argument to $each in ${name} must be an array but it was of type ${typeName(operand.$each)}`,
    );
  }
  return operand.$each;
}

function integer(operand: Doc, name: string): number | undefined {
  const value = own(operand, name);
  if (value === undefined) return undefined;
  const number = numberOf(value);
  if (number === undefined || !Number.isInteger(number))
    throw badValue(`The value for ${name} must be an integer value`);
  return number;
}

function sorter(spec: unknown): (a: unknown, b: unknown) => number {
  if (!isDoc(spec)) {
    const direction = numberOf(spec);
    if (direction !== 1 && direction !== -1) throw badValue('The $sort element value must be either 1 or -1');
    return (a, b) => direction * compare(a, b);
  }
  const fields = parseSort(spec);
  if (fields.length === 0) throw badValue('The $sort pattern is empty');
  return (a, b) => {
    for (const { parts, descending } of fields) {
      const order = compare(valueAt(a, parts), valueAt(b, parts));
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
}

function push(operand: unknown): Change {
  const added = each('$push', operand, ['$slice', '$position', '$sort']);
  const clauses = isDoc(operand) && Object.hasOwn(operand, '$each') ? operand : {};
  const position = integer(clauses, '$position');
  const slice = integer(clauses, '$slice');
  const order = own(clauses, '$sort') === undefined ? undefined : sorter(clauses.$sort);
  return (before) => {
    const list = needArray('$push', before).slice();
    list.splice(position ?? list.length, 0, ...added.map((item) => clone(item)));
    if (order) list.sort(order);
    if (slice === undefined) return list;
    return slice >= 0 ? list.slice(0, slice) : list.slice(slice);
  };
}

function addToSet(operand: unknown): Change {
  const added = each('$addToSet', operand, []);
  return (before) => {
    const list = needArray('$addToSet', before).slice();
    for (const item of added) if (!list.some((known) => equal(known, item))) list.push(clone(item));
    return list;
  };
}

function pull(operand: unknown): Change {
  let matches: (item: unknown) => boolean;
  if (isDoc(operand) && !isOperators(operand)) {
    const filter = compileFilter(operand);
    matches = (item) => isDoc(item) && filter(item);
  } else if (
    isOperators(operand) &&
    Object.keys(operand).some((key) => ['$and', '$or', '$nor'].includes(key))
  ) {
    const filter = compileFilter(operand);
    matches = (item) => isDoc(item) && filter(item);
  } else {
    const condition = compileCondition('item', operand);
    matches = (item) => condition({ item });
  }
  return (before) =>
    before === undefined ? before : needArray('$pull', before).filter((item) => !matches(item));
}

function pullAll(operand: unknown): Change {
  if (!Array.isArray(operand))
    throw badValue(`$pullAll requires an array argument but was given a ${typeName(operand)}`);
  return (before) => {
    if (before === undefined) return before;
    return needArray('$pullAll', before).filter((item) => !operand.some((gone) => equal(gone, item)));
  };
}

function pop(operand: unknown): Change {
  const side = numberOf(operand);
  if (side !== 1 && side !== -1) throw failedToParse(`$pop expects 1 or -1, found: ${String(side)}`);
  return (before) => {
    if (before === undefined) return before;
    if (!Array.isArray(before))
      throw typeMismatch(`Path contains an element of non-array type '${typeName(before)}'`);
    return side === 1 ? before.slice(0, -1) : before.slice(1);
  };
}

function currentDate(operand: unknown): Change {
  const type = isDoc(operand)
    ? own(operand, '$type')
    : operand === false || operand === true
      ? 'date'
      : undefined;
  if (type === 'date') return () => new Date();
  if (type === 'timestamp') return () => new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 });
  throw badValue('$currentDate takes true or {$type: "date" | "timestamp"}');
}

function bit(operand: unknown): Change {
  const entries = isDoc(operand) ? Object.entries(operand) : [];
  if (entries.length === 0) throw badValue('The $bit modifier needs a document of and, or, xor');
  for (const [name, value] of entries) {
    if (!['and', 'or', 'xor'].includes(name))
      throw badValue(`The $bit modifier only supports 'and', 'or', and 'xor'`);
    if (numberKind(value) !== 'int' || numberOf(value) === undefined) {
      throw badValue('The $bit modifier field must be an Integer(32 bit)');
    }
  }
  return (before) => {
    if (before !== undefined && (numberOf(before) === undefined || numberKind(before) !== 'int')) {
      throw badValue(`Cannot apply $bit to a value of non-integral type ${typeName(before)}`);
    }
    let bits = numberOf(before) ?? 0;
    for (const [name, value] of entries) {
      const mask = numberOf(value) ?? 0;
      bits = name === 'and' ? bits & mask : name === 'or' ? bits | mask : bits ^ mask;
    }
    return bits;
  };
}

const better =
  (wanted: 1 | -1, operand: unknown): Change =>
  (before) =>
    before === undefined || wanted * compare(operand, before) > 0 ? clone(operand) : before;

function changeFor(name: string, operand: unknown): Change {
  switch (name) {
    case '$set':
    case '$setOnInsert':
      return () => clone(operand);
    case '$unset':
      return () => REMOVE;
    case '$inc':
      return arithmetic(name, operand, (a, b) => a + b);
    case '$mul':
      return arithmetic(name, operand, (a, b) => a * b);
    case '$min':
      return better(-1, operand);
    case '$max':
      return better(1, operand);
    case '$push':
      return push(operand);
    case '$addToSet':
      return addToSet(operand);
    case '$pull':
      return pull(operand);
    case '$pullAll':
      return pullAll(operand);
    case '$pop':
      return pop(operand);
    case '$bit':
      return bit(operand);
    default:
      return currentDate(operand);
  }
}

const MODIFIERS = new Set(
  '$set $setOnInsert $unset $inc $mul $min $max $push $addToSet $pull $pullAll $pop $bit $currentDate $rename'.split(
    ' ',
  ),
);

const PASSIVE = new Set(['$unset', '$pull', '$pullAll', '$pop']);

function renames(path: string, operand: unknown): Step[] {
  if (typeof operand !== 'string') throw badValue(`The 'to' field for $rename must be a string: ${path}`);
  if (/\$/.test(path + operand)) throw badValue('The source and destination of $rename must not be dynamic');
  if (path === operand) throw badValue(`The source and target field for $rename must differ: ${path}`);
  const parts = path.split('.');
  return [{ path, parts, creates: false, change: () => REMOVE, moveTo: operand }];
}

/** Compares paths part by part, positions in arrays as numbers. */
function byPath(a: Step, b: Step): number {
  for (let i = 0; i < Math.min(a.parts.length, b.parts.length); i++) {
    const [left = '', right = ''] = [a.parts[i], b.parts[i]];
    if (left === right) continue;
    if (isIndex(left) && isIndex(right)) return Number(left) - Number(right);
    return left < right ? -1 : 1;
  }
  return a.parts.length - b.parts.length;
}

function checkPath(path: string): void {
  const parts = path.split('.');
  if (parts.includes(''))
    throw new ServerError(
      56,
      `The update path '${path}' contains an empty field name, which is not allowed.`,
    );
  if (parts[0]?.startsWith('$')) {
    throw new ServerError(
      52,
      `The dollar ($) prefixed field '${parts[0]}' in '${path}' is not valid for storage.`,
    );
  }
}

/** Reads an update of operators. */
export function parseUpdate(spec: Doc): Update {
  const steps: Step[] = [];
  const onInsert: Step[] = [];
  for (const name of Object.keys(spec)) {
    const fields = spec[name];
    if (!MODIFIERS.has(name)) {
      throw failedToParse(
        `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
      );
    }
    if (!isDoc(fields)) {
      throw failedToParse(
        `Modifiers operate on fields but we found type ${typeName(fields)} instead. (${name})`,
      );
    }
    for (const path of Object.keys(fields)) {
      checkPath(path);
      const operand = fields[path];
      if (name === '$rename') {
        checkPath(String(operand));
        steps.push(...renames(path, operand));
        continue;
      }
      const step = {
        path,
        parts: path.split('.'),
        creates: !PASSIVE.has(name),
        change: changeFor(name, operand),
      };
      (name === '$setOnInsert' ? onInsert : steps).push(step);
    }
  }
  const paths = [...steps, ...onInsert]
    .flatMap((step) => (step.moveTo ? [step.path, step.moveTo] : [step.path]))
    .sort();
  for (const [i, path] of paths.entries()) {
    const clash = paths.find((other, j) => j !== i && (other === path || other.startsWith(`${path}.`)));
    if (clash !== undefined) {
      throw new ServerError(40, `Updating the path '${clash}' would create a conflict at '${path}'`);
    }
  }
  return { steps: steps.sort(byPath), onInsert: onInsert.sort(byPath) };
}

/** The paths without positional parts that a path stands for in a document. */
function concretePaths(doc: Doc, parts: string[], target: Target): string[][] {
  const at = parts.findIndex((part) => part.startsWith('$'));
  if (at < 0) return [parts];
  const head = parts.slice(0, at);
  const tail = parts.slice(at + 1);
  const part = parts[at] ?? '';
  const path = head.join('.');
  if (part === '$') {
    const position = matchedPosition(target.filter, doc, path);
    if (position === undefined) {
      throw badValue('The positional operator did not find the match needed from the query.');
    }
    return concretePaths(doc, [...head, String(position), ...tail], target);
  }
  const name = /^\$\[(.*)\]$/.exec(part)?.[1];
  if (name === undefined)
    throw badValue(`The path '${parts.join('.')}' contains a field name that starts with '$'`);
  const matcher = name === '' ? () => true : target.filters.get(name);
  if (!matcher) throw badValue(`No array filter found for identifier '${name}' in path '${parts.join('.')}'`);
  const list = valueAt(doc, head);
  if (list === undefined) {
    throw badValue(`The path '${path}' must exist in the document in order to apply array updates.`);
  }
  if (!Array.isArray(list)) throw badValue(`Cannot apply array updates to non-array element ${path}`);
  return list.flatMap((item, i) =>
    matcher(item) ? concretePaths(doc, [...head, String(i), ...tail], target) : [],
  );
}

const MAX_PADDING = 1_500_000;

/** Changes what stands at a path, making the documents on the way when the step may. */
function changeAt(root: Doc, parts: string[], creates: boolean, change: Change): void {
  let at: unknown = root;
  for (const [i, part] of parts.entries()) {
    const last = i === parts.length - 1;
    const list = Array.isArray(at) ? at : undefined;
    const holder = isDoc(at) ? at : undefined;
    if (!holder && !(list && isIndex(part))) {
      if (!creates) return;
      const message = `Cannot create field '${part}' in element {${parts[i - 1] ?? ''}: ${typeName(at)}}`;
      throw new ServerError(28, message);
    }
    const before = list ? list[Number(part)] : holder && own(holder, part);
    if (!last && before === undefined && !creates) return;
    const after = last ? change(before) : before === undefined ? {} : before;
    if (list) {
      if (Number(part) > list.length + MAX_PADDING)
        throw badValue('the array would have to be padded too far');
      if (after === REMOVE && Number(part) >= list.length) return;
      while (list.length < Number(part)) list.push(null);
      if (after !== undefined) list[Number(part)] = after === REMOVE ? null : after;
    } else if (holder && after === REMOVE) delete holder[part];
    else if (holder && after !== before) put(holder, part, after);
    at = after;
  }
}

function run(doc: Doc, step: Step, target: Target): void {
  if (step.moveTo === undefined) {
    for (const parts of concretePaths(doc, step.parts, target))
      changeAt(doc, parts, step.creates, step.change);
    return;
  }
  const value = valueAt(doc, step.parts);
  if (value === undefined) return;
  for (const parts of [step.parts, step.moveTo.split('.')]) {
    for (let i = 1; i < parts.length; i++) {
      if (Array.isArray(valueAt(doc, parts.slice(0, i)))) {
        throw badValue(`The field of $rename cannot be an array element, '${parts.join('.')}'`);
      }
    }
  }
  changeAt(doc, step.parts, false, step.change);
  changeAt(doc, step.moveTo.split('.'), true, () => value);
}

/** The document as the update leaves it; the given one stays as it is. */
export function applyUpdate(doc: Doc, update: Update, target: Target, inserting = false): Doc {
  const changed = clone(doc);
  const steps = inserting ? [...update.steps, ...update.onInsert].sort(byPath) : update.steps;
  for (const step of steps) run(changed, step, target);
  return changed;
}

/** Fails when an array filter is not named by any path of the update. */
export function checkFiltersUsed(update: Update, filters: ArrayFilters): void {
  const parts = new Set([...update.steps, ...update.onInsert].flatMap((step) => step.parts));
  for (const name of filters.keys()) {
    if (!parts.has(`$[${name}]`)) {
      throw failedToParse(`The array filter for identifier '${name}' was not used in the update`);
    }
  }
}

/** What an upsert starts from: the equalities of the filter. */
export function documentFrom(filter: Doc): Doc {
  const doc: Doc = {};
  for (const [path, operand] of conditionsOf(filter)) {
    let value = operand;
    if (isOperators(operand)) {
      const all = own(operand, '$all');
      if (Array.isArray(all) && all.length === 1 && !isOperators(all[0])) [value] = all;
      else if (Object.hasOwn(operand, '$eq')) value = operand.$eq;
      else continue;
    }
    if (value instanceof BSONRegExp) continue;
    changeAt(doc, path.split('.'), true, (before) => {
      if (before !== undefined) {
        throw new ServerError(54, `cannot infer query fields to set, path '${path}' is matched twice`);
      }
      return clone(value);
    });
  }
  return doc;
}
