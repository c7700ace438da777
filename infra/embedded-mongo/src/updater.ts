import { BSONRegExp } from 'bson';
import { badValue, failedToParse, notSupported, ServerError, typeMismatch } from './errors.ts';
import { compileFilter, conditionsOf, isOperators, list } from './matcher.ts';
import { compare, equal, keyOf } from './order.ts';
import { isIndex } from './paths.ts';
import {
  type Doc,
  isDoc,
  makeNumber,
  numberOf,
  ownValue,
  setField,
  typeName,
  widestNumberKind,
} from './values.ts';

/** Returns the new value at a path; undefined removes it. */
type Change = (before: unknown) => unknown;
type Step = { name: string; path: string; change: Change };
type Rename = { from: string; to: string };
type Merge = (before: unknown[], items: unknown[]) => unknown[];

function increment(operand: unknown): Change {
  const right = numberOf(operand);
  if (right === undefined) throw typeMismatch(`Cannot increment with a ${typeName(operand)}`);
  return (before) => {
    const left = before === undefined ? 0 : numberOf(before);
    if (left !== undefined) return makeNumber(widestNumberKind([before ?? operand, operand]), left + right);
    throw typeMismatch(`Cannot apply $inc to a value of type ${typeName(before)}`);
  };
}

function minMax(direction: 1 | -1, operand: unknown): Change {
  return (before) => (before === undefined || direction * compare(operand, before) > 0 ? operand : before);
}

/** A change of an array. */
function ofArray(name: string, change: (list: unknown[]) => unknown[]): Change {
  return (before) => {
    if (Array.isArray(before)) return change(before);
    throw badValue(`Cannot apply ${name} to a non-array field of type ${typeName(before)}`);
  };
}

/** Adds the values of `$each`, or the operand itself as the only one. */
function arrayAdd(name: string, operand: unknown, add: Merge): Change {
  const eachOperand = isDoc(operand) && Object.hasOwn(operand, '$each') ? operand : { $each: [operand] };
  const other = Object.keys(eachOperand).find((key) => key !== '$each');
  if (other) throw notSupported(`${other} in ${name}`);
  const added = list('$each', eachOperand.$each);
  const change = ofArray(name, (before) => add(before, added));
  return (before = []) => change(before);
}

function arrayRemove(matches: (item: unknown) => boolean): Change {
  const change = ofArray('$pull', (list) => list.filter((item) => !matches(item)));
  return (before) => (before === undefined ? before : change(before));
}

/** A document is a filter of documents, anything else a value. */
function pull(operand: unknown): Change {
  const [first = ''] = isDoc(operand) ? Object.keys(operand) : [];
  if (/^\$(?!(and|n?or)$)/.test(first) || operand instanceof BSONRegExp)
    throw notSupported(`$pull by ${first}`);
  if (!isDoc(operand)) return arrayRemove((item) => equal(item, operand));
  const matches = compileFilter(operand);
  return arrayRemove((item) => isDoc(item) && matches(item));
}

const modifiers: Record<string, (operand: unknown) => Change> = {
  $set: (operand) => () => operand,
  $setOnInsert: (operand) => () => operand,
  $unset: () => () => undefined,
  $inc: increment,
  $min: (operand) => minMax(-1, operand),
  $max: (operand) => minMax(1, operand),
  $push: (operand) => arrayAdd('$push', operand, (before, items) => [...before, ...items]),
  $addToSet: (operand) =>
    arrayAdd('$addToSet', operand, (before, items) => {
      const known = new Set(before.map(keyOf));
      return [...before, ...items.filter((item) => !known.has(keyOf(item)) && known.add(keyOf(item)))];
    }),
  $pull: pull,
};
/** Operators that create nothing if the path is missing. */
const PASSIVE = /^\$(unset|pull)$/;
const UNSUPPORTED = /^\$(bit|currentDate|mul|pop|pullAll)$/;

function checkPath(path: string): void {
  const parts = path.split('.');
  if (parts.includes('_bsontype')) throw badValue("the field name '_bsontype' is not supported");
  if (parts.includes('')) throw new ServerError(56, `The path '${path}' contains an empty field name.`);
  const dynamic = parts.findIndex((part) => part.startsWith('$'));
  if (dynamic > 0) throw notSupported(`the update path '${path}'`);
  if (dynamic === 0) throw new ServerError(52, `The dollar ($) prefixed field '${path}' is not valid.`);
}

/** Parses an update with operators. The result is a new document; the given one is unchanged. */
export function parseUpdate(spec: Doc): (doc: Doc, inserting: boolean) => Doc {
  const { $rename = {}, ...others } = spec;
  const renames = parseRenames($rename);
  const steps = Object.entries(others).flatMap(([name, fields]): Step[] => {
    if (UNSUPPORTED.test(name)) throw notSupported(name);
    const make = ownValue(modifiers, name);
    if (!make) throw failedToParse(`Unknown modifier: ${name}`);
    if (!isDoc(fields)) throw failedToParse(`${name} operates on fields, but found ${typeName(fields)}`);
    return Object.entries(fields).map(([path, operand]) => ({ name, path, change: make(operand) }));
  });
  const changed = [...steps.map(({ path }) => path), ...renames.flatMap(({ from, to }) => [from, to])];
  const paths = changed.map((path) => `${path}.`).sort();
  const clash = paths.find((path, i) => i > 0 && path.startsWith(paths[i - 1] ?? ''));
  if (clash) throw new ServerError(40, `Updating the path '${clash.slice(0, -1)}' would create a conflict`);
  for (const path of changed) checkPath(path);
  const place = ({ path }: Step) => path.replaceAll('.', '\0');
  steps.sort((a, b) => (place(a) < place(b) ? -1 : 1));
  const take = (doc: Doc, { name, path, change }: Step) =>
    changeDoc(doc, path.split('.'), !PASSIVE.test(name), change);
  return (doc, inserting) =>
    steps
      .filter(({ name }) => inserting || name !== '$setOnInsert')
      .reduce(take, renames.reduce(rename, doc));
}

function parseRenames(fields: unknown): Rename[] {
  if (!isDoc(fields)) throw failedToParse(`$rename operates on fields, but found ${typeName(fields)}`);
  return Object.entries(fields).map(([from, to]) => {
    if (typeof to !== 'string')
      throw badValue(`The 'to' field for $rename must be a string, but found ${typeName(to)}`);
    if (from === to) throw badValue(`The source and target field for $rename must differ: ${from}`);
    return { from, to };
  });
}

/** Moves a value to another path, over what is there; a document without it is unchanged. */
function rename(doc: Doc, { from, to }: Rename): Doc {
  for (const path of [from, to]) requireNoArray(doc, path);
  let moved: unknown;
  const without = changeDoc(doc, from.split('.'), false, (before) => {
    moved = before;
    return undefined;
  });
  return moved === undefined ? doc : changeDoc(without, to.split('.'), true, () => moved);
}

function requireNoArray(doc: Doc, path: string): void {
  let value: unknown = doc;
  for (const part of path.split('.').slice(0, -1)) {
    value = isDoc(value) ? ownValue(value, part) : undefined;
    if (Array.isArray(value))
      throw badValue(`$rename of an array element: '${path}' has an array at '${part}'`);
  }
}

/** Returns a value with a change at a path, copied as far as necessary; `creates` adds missing documents. */
function changeAt(value: unknown, parts: string[], creates: boolean, change: Change): unknown {
  const [part, ...rest] = parts;
  if (part === undefined) return change(value);
  const holder = value === undefined && creates ? {} : value;
  if (isDoc(holder)) return changeDoc(holder, parts, creates, change);
  if (Array.isArray(holder) && isIndex(part)) {
    if (Number(part) > holder.length) throw notSupported('a place beyond the end of an array');
    const after = changeAt(holder[Number(part)], rest, creates, change);
    if (after === holder[Number(part)]) return holder;
    return Object.assign([...holder], { [part]: after ?? null });
  }
  if (!creates) return holder;
  throw new ServerError(28, `Cannot create field '${part}' in a value of type ${typeName(holder)}`);
}

function changeDoc(doc: Doc, [part = '', ...rest]: string[], creates: boolean, change: Change): Doc {
  const before = ownValue(doc, part);
  const after = changeAt(before, rest, creates, change);
  if (after === before) return doc;
  const changed = { ...doc };
  if (after === undefined) delete changed[part];
  else setField(changed, part, after);
  return changed;
}

/** The initial document of an upsert: the filter's equalities. */
export function documentFrom(filter: Doc): Doc {
  return conditionsOf(filter).reduce((doc, [path, operand]) => {
    const names = isOperators(operand) ? Object.keys(operand) : ['$eq'];
    // With a single value both mean equality.
    if (names.includes('$all') || names.includes('$in')) throw notSupported('an upsert by $all or $in');
    if (operand instanceof BSONRegExp || !names.includes('$eq')) return doc;
    return changeDoc(doc, path.split('.'), true, (before) => {
      if (before === undefined) return isOperators(operand) ? operand.$eq : operand;
      throw new ServerError(54, `cannot infer query fields to set, path '${path}' is matched twice`);
    });
  }, {});
}
