import { BSONRegExp, MaxKey, MinKey } from 'bson';
import { badValue, failedToParse, notSupported } from './errors.ts';
import { compileExpression } from './expressions.ts';
import { distance, type Near, parseNear, parseShape, pointOf } from './geo.ts';
import { compare, equal, keyOf } from './order.ts';
import { visitLeaves, visitPath } from './paths.ts';
import { compileRegex, regexOf } from './regex.ts';
import { type Doc, isDoc, numberOf, own, put, typeName, typeNames } from './values.ts';

export type Matcher = (doc: unknown) => boolean;
/** A test of the value a path leads to. */
type Test = (value: unknown) => boolean;
/** A condition on a path, answering for a whole document; `exact` where arrays stand for themselves. */
type Condition = (parts: string[], exact?: boolean) => Matcher;
export type Variables = Doc | undefined;

/** Any value on the path, or any element of an array there, passes the test. */
const some =
  (test: Test): Condition =>
  (parts, exact) =>
  (doc) =>
    visitLeaves(doc, parts, test, exact);
/** Any value on the path passes, arrays taken as a whole. */
const whole =
  (test: Test): Condition =>
  (parts) =>
  (doc) =>
    visitPath(doc, parts, test);
const not =
  (condition: Condition): Condition =>
  (parts, exact) => {
    const matcher = condition(parts, exact);
    return (doc) => !matcher(doc);
  };
const all =
  (conditions: Condition[]): Condition =>
  (parts, exact) => {
    const matchers = conditions.map((condition) => condition(parts, exact));
    return (doc) => matchers.every((matcher) => matcher(doc));
  };

const isNaNValue = (value: unknown) => Number.isNaN(numberOf(value));

function equals(operand: unknown): Test {
  if (operand === null) return (value) => value === null || value === undefined;
  if (typeof operand === 'string' || typeof operand === 'boolean') return (value) => value === operand;
  const number = numberOf(operand);
  if (number !== undefined) {
    return Number.isNaN(number) ? isNaNValue : (value) => value === number || numberOf(value) === number;
  }
  const key = keyOf(operand);
  const type = typeName(operand);
  return (value) => typeof value === 'object' && typeName(value) === type && keyOf(value) === key;
}

function range(operator: string, operand: unknown): Test {
  if (operand instanceof BSONRegExp)
    throw badValue(`Can't have RegEx as arg to predicate over field '${operator}'.`);
  const orEqual = operator === '$gte' || operator === '$lte';
  const holds = operator.startsWith('$g') ? (order: number) => order > 0 : (order: number) => order < 0;
  if (operand instanceof MinKey || operand instanceof MaxKey) {
    return (value) => {
      const order = compare(value, operand);
      return holds(order) || (orEqual && order === 0);
    };
  }
  const number = numberOf(operand);
  if (number !== undefined && !Number.isNaN(number)) {
    return (value) => {
      const other = typeof value === 'number' ? value : numberOf(value);
      if (other === undefined || Number.isNaN(other)) return false;
      return other === number ? orEqual : holds(other - number);
    };
  }
  if (operand === null || number !== undefined) return orEqual ? equals(operand) : () => false;
  const type = typeName(operand);
  return (value) => {
    if (typeName(value) !== type) return false;
    const order = compare(value, operand);
    return holds(order) || (orEqual && order === 0);
  };
}

function within(operand: unknown): Test {
  if (!Array.isArray(operand)) throw badValue('$in needs an array');
  const tests = operand.filter((item) => item instanceof BSONRegExp).map(matches);
  const keys = new Set(operand.map(keyOf));
  return (value) => keys.has(keyOf(value)) || tests.some((test) => test(value));
}

/** A regular expression matches strings, and itself. */
function matches(regex: BSONRegExp): Test {
  const compiled = compileRegex(regex.pattern, regex.options);
  return (value) => (typeof value === 'string' ? compiled.test(value) : equal(value, regex));
}

function size(operand: unknown): Test {
  const length = numberOf(operand);
  if (length === undefined) throw failedToParse('Failed to parse $size. Expected a number');
  if (!Number.isInteger(length) || length < 0) throw failedToParse(`Failed to parse $size: ${length}`);
  return (value) => Array.isArray(value) && value.length === length;
}

function modulo(operand: unknown): Test {
  if (!Array.isArray(operand)) throw badValue('malformed mod, needs to be an array');
  if (operand.length < 2) throw badValue('malformed mod, not enough elements');
  if (operand.length > 2) throw badValue('malformed mod, too many elements');
  const [divisor, remainder] = operand.map((item) => Math.trunc(numberOf(item) ?? Number.NaN));
  if (!Number.isFinite(divisor) || !Number.isFinite(remainder))
    throw badValue('malformed mod, operands must be numbers');
  if (divisor === 0) throw badValue('divisor cannot be 0');
  return (value) => {
    const number = Math.trunc(numberOf(value) ?? Number.NaN);
    return Number.isFinite(number) && number % (divisor ?? 1) === (remainder === 0 ? 0 : remainder);
  };
}

function elemMatch(operand: unknown, variables: Variables): Test {
  if (!isDoc(operand)) throw badValue('$elemMatch needs an Object');
  const [first] = Object.keys(operand);
  if (first?.startsWith('$') && !LOGICAL.has(first)) {
    const matcher = operators(operand, variables)([], true);
    return (value) => Array.isArray(value) && value.some((item) => matcher(item));
  }
  const matcher = compileFilter(operand, variables);
  return (value) => Array.isArray(value) && value.some((item) => isDoc(item) && matcher(item));
}

function every(operand: unknown, variables: Variables): Condition {
  if (!Array.isArray(operand)) throw badValue('$all needs an array');
  if (operand.length === 0) return () => () => false;
  return all(
    operand.map((item) => {
      if (isDoc(item) && Object.hasOwn(item, '$elemMatch'))
        return whole(elemMatch(item.$elemMatch, variables));
      if (isDoc(item) && Object.keys(item)[0]?.startsWith('$')) throw badValue('no $ expressions in $all');
      return some(item instanceof BSONRegExp ? matches(item) : equals(item));
    }),
  );
}

function ofType(operand: unknown): Condition {
  const names = new Set((Array.isArray(operand) ? operand : [operand]).flatMap(typeNames));
  return some((value) => value !== undefined && names.has(typeName(value)));
}

function near(spec: Near): Condition {
  return whole((value) => {
    const point = pointOf(value);
    const metres = point ? distance(spec.centre, point) : Number.NaN;
    return metres >= spec.min && metres <= spec.max;
  });
}

/** One operator of a condition; `beside` are its neighbours, to which a few operators belong. */
function operator(name: string, operand: unknown, beside: Doc, variables: Variables): Condition | undefined {
  switch (name) {
    case '$eq':
      return some(operand instanceof BSONRegExp ? (value) => equal(value, operand) : equals(operand));
    case '$ne':
      if (operand instanceof BSONRegExp) throw badValue("Can't have regex as arg to $ne.");
      return not(some(equals(operand)));
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return some(range(name, operand));
    case '$in':
      return some(within(operand));
    case '$nin':
      if (!Array.isArray(operand)) throw badValue('$nin needs an array');
      return not(some(within(operand)));
    case '$exists': {
      const exists = whole((value) => value !== undefined);
      return operand === false || operand === null || numberOf(operand) === 0 ? not(exists) : exists;
    }
    case '$type':
      return ofType(operand);
    case '$size':
      return whole(size(operand));
    case '$mod':
      return some(modulo(operand));
    case '$all':
      return every(operand, variables);
    case '$elemMatch':
      return whole(elemMatch(operand, variables));
    case '$not':
      if (operand instanceof BSONRegExp) return not(some(matches(operand)));
      if (!isDoc(operand)) throw badValue('$not needs a regex or a document');
      if (Object.keys(operand).length === 0) throw badValue('$not cannot be empty');
      return not(operators(operand, variables));
    case '$regex': {
      const regex = regexOf(operand, own(beside, '$options'));
      return some((value) => typeof value === 'string' && regex.test(value));
    }
    case '$options':
      if (own(beside, '$regex') === undefined) throw badValue('$options needs a $regex');
      return undefined;
    case '$geoWithin': {
      const shape = parseShape(operand);
      return whole((value) => {
        const point = pointOf(value);
        return point !== undefined && shape.contains(point);
      });
    }
    case '$near':
    case '$nearSphere':
      return near(parseNear(operand, beside, name === '$nearSphere'));
    case '$minDistance':
    case '$maxDistance':
      if (own(beside, '$near') === undefined && own(beside, '$nearSphere') === undefined) {
        throw badValue(`${name} needs a $near`);
      }
      return undefined;
    case '$geoIntersects':
    case '$bitsAllSet':
    case '$bitsAllClear':
    case '$bitsAnySet':
    case '$bitsAnyClear':
      throw notSupported(name);
    default:
      throw badValue(`unknown operator: ${name}`);
  }
}

function operators(spec: Doc, variables: Variables): Condition {
  return all(Object.keys(spec).flatMap((name) => operator(name, spec[name], spec, variables) ?? []));
}

/** Whether an operand is a document of operators rather than a value to be equal to. */
export function isOperators(operand: unknown): operand is Doc {
  const [first] = isDoc(operand) ? Object.keys(operand) : [];
  // {$ref, $id} is a reference, which is a value.
  return first?.startsWith('$') === true && first !== '$ref' && first !== '$id';
}

const LOGICAL = new Set(['$and', '$or', '$nor', '$expr', '$comment', '$where', '$text', '$jsonSchema']);

function logical(name: string, operand: unknown, variables: Variables): Matcher {
  if (name === '$comment') return () => true;
  if (name === '$expr') {
    const value = compileExpression(operand, variables);
    return (doc) => isTruthy(value(doc));
  }
  if (name !== '$and' && name !== '$or' && name !== '$nor') {
    if (LOGICAL.has(name)) throw notSupported(name);
    throw badValue(`unknown top level operator: ${name}`);
  }
  if (!Array.isArray(operand) || operand.length === 0) throw badValue(`${name} must be a nonempty array`);
  const matchers = operand.map((clause) => {
    if (!isDoc(clause)) throw badValue('$or/$and/$nor entries need to be full objects');
    return compileFilter(clause, variables);
  });
  if (name === '$and') return (doc) => matchers.every((matcher) => matcher(doc));
  if (name === '$or') return (doc) => matchers.some((matcher) => matcher(doc));
  return (doc) => !matchers.some((matcher) => matcher(doc));
}

const isTruthy = (value: unknown) =>
  value !== false && value !== null && value !== undefined && numberOf(value) !== 0;

/** Compiles a condition on one path. */
export function compileCondition(path: string, operand: unknown, variables?: Variables): Matcher {
  const parts = path.split('.');
  if (isOperators(operand)) return operators(operand, variables)(parts);
  return some(operand instanceof BSONRegExp ? matches(operand) : equals(operand))(parts);
}

/** Compiles a query filter, refusing whatever this server would have to guess at. */
export function compileFilter(filter: Doc, variables?: Variables): Matcher {
  const matchers = Object.keys(filter).map((key) =>
    key.startsWith('$')
      ? logical(key, filter[key], variables)
      : compileCondition(key, filter[key], variables),
  );
  const [only] = matchers;
  if (only && matchers.length === 1) return only;
  return (doc) => matchers.every((matcher) => matcher(doc));
}

/** The top-level conditions of a filter, those inside `$and` too, as pairs of path and operand. */
export function conditionsOf(filter: Doc): [path: string, operand: unknown][] {
  return Object.keys(filter).flatMap((key): [string, unknown][] => {
    const operand = filter[key];
    if (key === '$and' && Array.isArray(operand)) return operand.flatMap((clause) => conditionsOf(clause));
    return key.startsWith('$') ? [] : [[key, operand]];
  });
}

/** The `$near` of a filter, which orders its result. */
export function nearOf(filter: Doc): { path: string; near: Near } | undefined {
  for (const [path, operand] of conditionsOf(filter)) {
    if (!isOperators(operand)) continue;
    for (const name of ['$near', '$nearSphere']) {
      if (own(operand, name) !== undefined) {
        return { path, near: parseNear(operand[name], operand, name === '$nearSphere') };
      }
    }
  }
  return undefined;
}

/** The position in an array that made a document match, for the positional operator `$`. */
export function matchedPosition(filter: Doc, doc: Doc, arrayPath: string): number | undefined {
  const parts = arrayPath.split('.');
  for (const [path, operand] of conditionsOf(filter)) {
    if (path !== arrayPath && !path.startsWith(`${arrayPath}.`)) continue;
    const matcher = compileCondition(path, operand);
    let position: number | undefined;
    visitPath(doc, parts, (value) => {
      const index = Array.isArray(value) ? value.findIndex((item) => matcher(nest(parts, [item]))) : -1;
      if (index >= 0) position = index;
      return index >= 0;
    });
    if (position !== undefined) return position;
  }
  return undefined;
}

function nest(parts: string[], value: unknown): Doc {
  const doc: Doc = {};
  const [first = '', ...rest] = parts;
  put(doc, first, rest.length > 0 ? nest(rest, value) : value);
  return doc;
}
