import { BSONRegExp } from 'bson';
import { badValue, notSupported } from './errors.ts';
import { parseShape } from './geo.ts';
import { keyOf } from './order.ts';
import { visitLeaves, visitPath } from './paths.ts';
import { type Doc, isDoc, numberOf, ownValue, TYPES, typeName } from './values.ts';

export type Matcher = (doc: unknown) => boolean;
/** A test of a value at a path. */
type Test = (value: unknown) => boolean;
/** A condition on the values at a path. */
type Condition = (doc: unknown, parts: string[]) => boolean;

/** A value at the path passes, or an element of an array there. */
function some(test: Test): Condition {
  return (doc, parts) => visitLeaves(doc, parts, test);
}

/** A value at the path passes; arrays as a whole. */
function asWhole(test: Test): Condition {
  return (doc, parts) => visitPath(doc, parts, test);
}

function every(conditions: Condition[]): Condition {
  return (doc, parts) => conditions.every((condition) => condition(doc, parts));
}

function not(condition: Condition): Condition {
  return (doc, parts) => !condition(doc, parts);
}

function equals(operand: unknown): Test {
  if (operand === null) return (value) => value === null || value === undefined;
  if (typeof operand === 'string' || typeof operand === 'boolean') return (value) => value === operand;
  const key = keyOf(operand);
  return (value) => value === operand || (value !== undefined && value !== null && keyOf(value) === key);
}

/** A text with escaped special characters, possibly after `^`. */
const PLAIN = /^\^?(?:[^\\^$.|?*+()[\]{}]|\\[^\w\s])*$/;

/** A regular expression, which matches strings. Only those are accepted that PCRE and JavaScript interpret alike. */
function matches(operand: BSONRegExp): Test {
  const { pattern, options } = operand;
  if (!PLAIN.test(pattern) || !/^i?$/.test(options)) throw notSupported(`/${pattern}/${options}`);
  const source = pattern.replace(/\\(.)/g, (escaped, char) =>
    /[\\^$.|?*+()[\]{}]/.test(char) ? escaped : char,
  );
  const regex = new RegExp(source, `${options}u`);
  return (value) => typeof value === 'string' && regex.test(value);
}

function range(name: string, operand: unknown): Test {
  if (operand instanceof BSONRegExp) throw badValue(`Can't have RegEx as arg to predicate ${name}`);
  const [greater, orEqual] = [name.startsWith('$g'), name.endsWith('e')];
  if (operand === null || Number.isNaN(operand)) return orEqual ? equals(operand) : () => false;
  const key = keyOf(operand);
  return (value) => {
    if (value === undefined || Number.isNaN(value)) return false;
    const other = keyOf(value);
    if (other.charCodeAt(0) !== key.charCodeAt(0)) return false;
    return other === key ? orEqual : other > key === greater;
  };
}

/** Requires an array. */
export function list(name: string, operand: unknown): unknown[] {
  if (Array.isArray(operand)) return operand;
  throw badValue(`${name} needs an array`);
}

function within(name: string, operand: unknown): Test {
  const items = list(name, operand);
  if (items.some(isOperators)) throw badValue(`cannot nest $ under ${name}`);
  if (items.some((item) => item instanceof BSONRegExp)) throw notSupported(`a regular expression in ${name}`);
  const keys = new Set(items.map(keyOf));
  return (value) => keys.has(keyOf(value));
}

/** The operators of a condition. */
const operators: Record<string, (operand: unknown) => Condition> = {
  $eq: (operand) => some(equals(operand)),
  $ne: (operand) => {
    if (operand instanceof BSONRegExp) throw badValue("Can't have regex as arg to $ne.");
    return not(some(equals(operand)));
  },
  $gt: (operand) => some(range('$gt', operand)),
  $gte: (operand) => some(range('$gte', operand)),
  $lt: (operand) => some(range('$lt', operand)),
  $lte: (operand) => some(range('$lte', operand)),
  $in: (operand) => some(within('$in', operand)),
  $nin: (operand) => not(some(within('$nin', operand))),
  $exists: (operand) => {
    const exists = asWhole((value) => value !== undefined);
    return operand === false || operand === null || numberOf(operand) === 0 ? not(exists) : exists;
  },
  $type: (operand) => {
    if (!TYPES.some((type) => type === operand)) throw notSupported(`$type ${operand}`);
    return some((value) => value !== undefined && typeName(value) === operand);
  },
  $size: (operand) => {
    const length = numberOf(operand);
    if (!Number.isInteger(length) || (length ?? -1) < 0) throw badValue('$size takes a whole number >= 0');
    return asWhole((value) => Array.isArray(value) && value.length === length);
  },
  $all: (operand) => {
    const conditions = list('$all', operand).map(valueCondition);
    return conditions.length > 0 ? every(conditions) : () => false;
  },
  $geoWithin: (operand) => {
    const { contains } = parseShape(operand);
    return asWhole(contains);
  },
};

const UNSUPPORTED =
  /^\$(bits(All|Any)(Set|Clear)|comment|elemMatch|expr|geoIntersects|jsonSchema|mod|near|nearSphere|not|options|regex|sampleRate|text|where)$/;

function lookUp<T>(table: Record<string, T>, name: string): T {
  const found = ownValue(table, name);
  if (found !== undefined) return found;
  throw UNSUPPORTED.test(name)
    ? notSupported(`${name} in this place`)
    : badValue(`unknown operator: ${name}`);
}

function conditionOf(spec: Doc): Condition {
  return every(Object.keys(spec).map((name) => lookUp(operators, name)(spec[name])));
}

/** The condition of a value that is not a document of operators. */
function valueCondition(operand: unknown): Condition {
  if (isOperators(operand)) throw notSupported('an operator in this place');
  return some(operand instanceof BSONRegExp ? matches(operand) : equals(operand));
}

/** Whether an operand is a document of operators, and not a value. */
export function isOperators(operand: unknown): operand is Doc {
  return isDoc(operand) && Object.keys(operand)[0]?.startsWith('$') === true;
}

function clauses(name: string, operand: unknown): Matcher[] {
  const items = list(name, operand);
  if (items.length === 0 || !items.every(isDoc)) throw badValue(`${name} needs documents`);
  return items.map(compileFilter);
}

const logical: Record<string, (matchers: Matcher[], doc: unknown) => boolean> = {
  $and: (matchers, doc) => matchers.every((matcher) => matcher(doc)),
  $or: (matchers, doc) => matchers.some((matcher) => matcher(doc)),
  $nor: (matchers, doc) => !matchers.some((matcher) => matcher(doc)),
};

/** Compiles a query filter, and rejects everything whose behavior in MongoDB is not implemented. */
export function compileFilter(filter: Doc): Matcher {
  const matchers = Object.entries(filter).map(([key, operand]): Matcher => {
    if (key.startsWith('$')) {
      const [join, each] = [lookUp(logical, key), clauses(key, operand)];
      return (doc) => join(each, doc);
    }
    const parts = key.split('.');
    const condition = isOperators(operand) ? conditionOf(operand) : valueCondition(operand);
    return (doc) => condition(doc, parts);
  });
  return (doc) => matchers.every((matcher) => matcher(doc));
}

/** The conditions that all have to hold, including those in `$and`, as pairs of path and operand. */
export function conditionsOf(filter: Doc): [path: string, operand: unknown][] {
  return Object.keys(filter).flatMap((key): [string, unknown][] => {
    const operand = filter[key];
    const isJoint = key === '$and' || (key === '$or' && Array.isArray(operand) && operand.length === 1);
    if (isJoint && Array.isArray(operand)) return operand.flatMap((clause) => conditionsOf(clause));
    return key.startsWith('$') ? [] : [[key, operand]];
  });
}
