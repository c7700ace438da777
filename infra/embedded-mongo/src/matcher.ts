import { BSONRegExp, MaxKey, MinKey } from 'bson';
import { badValue, failedToParse, notSupported } from './errors.ts';
import { compileExpression } from './expressions.ts';
import { distance, type Near, parseNear, parseShape, pointOf } from './geo.ts';
import { compare, equal, keyOf } from './order.ts';
import { visitLeaves, visitPath } from './paths.ts';
import { regexOf } from './regex.ts';
import { type Doc, isDoc, numberOf, own, put, typeName, typeNames } from './values.ts';

export type Matcher = (doc: unknown) => boolean;
/** A test of the value a path leads to. */
type Test = (value: unknown) => boolean;
/** A condition on a path; `exact` where an array stands for itself and not for its elements. */
type Condition = (parts: string[], exact?: boolean) => Matcher;

/** Some value on the path passes, or some element of an array there. */
const some =
  (test: Test): Condition =>
  (parts, exact) =>
  (doc) =>
    visitLeaves(doc, parts, test, exact);
/** Some value on the path passes, arrays taken as a whole. */
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

function equals(operand: unknown): Test {
  if (operand === null) return (value) => value === null || value === undefined;
  if (typeof operand === 'string' || typeof operand === 'boolean') return (value) => value === operand;
  const key = keyOf(operand);
  return (value) => value === operand || (value !== undefined && value !== null && keyOf(value) === key);
}

/** A regular expression matches strings, and itself. */
function matches(operand: unknown): Test {
  const regex = regexOf(operand);
  return (value) => (typeof value === 'string' ? regex.test(value) : equal(value, operand));
}

function range(name: string, operand: unknown): Test {
  if (operand instanceof BSONRegExp) throw badValue(`Can't have RegEx as arg to predicate ${name}`);
  const orEqual = name.endsWith('e') ? equals(operand) : () => false;
  const type = typeName(operand);
  const anyType = operand instanceof MinKey || operand instanceof MaxKey;
  const wanted = name.startsWith('$g') ? 1 : -1;
  const number = numberOf(operand);
  if (type === 'null' || Number.isNaN(number)) return orEqual;
  if (number !== undefined && type !== 'timestamp') {
    const beyond = (value: number) => (wanted > 0 ? value > number : value < number);
    return (value) => {
      const other = typeName(value) === 'timestamp' ? undefined : numberOf(value);
      return other !== undefined && (beyond(other) || orEqual(value));
    };
  }
  return (value) =>
    (anyType || typeName(value) === type) && (compare(value, operand) * wanted > 0 || orEqual(value));
}

function list(name: string, operand: unknown): unknown[] {
  if (!Array.isArray(operand)) throw badValue(`${name} needs an array`);
  return operand;
}

function within(name: string, operand: unknown): Test {
  const items = list(name, operand);
  if (items.some(isOperators)) throw badValue(`cannot nest $ under ${name}`);
  const tests = items.filter((item) => item instanceof BSONRegExp).map(matches);
  const keys = new Set(items.map(keyOf));
  return (value) => keys.has(keyOf(value)) || tests.some((test) => test(value));
}

function size(operand: unknown): Test {
  const length = numberOf(operand);
  if (length === undefined || !Number.isInteger(length) || length < 0) {
    throw failedToParse('Failed to parse $size. Expected a non-negative whole number');
  }
  return (value) => Array.isArray(value) && value.length === length;
}

function elemMatch(operand: unknown): Test {
  if (!isDoc(operand)) throw badValue('$elemMatch needs an Object');
  const onValues = isOperators(operand) && !/^\$(and|or|nor|expr)$/.test(Object.keys(operand)[0] ?? '');
  const matcher = onValues ? conditionOf(operand)([], true) : compileFilter(operand);
  return (value) => Array.isArray(value) && value.some((item) => (onValues || isDoc(item)) && matcher(item));
}

function allOf(operand: unknown): Condition {
  const conditions = list('$all', operand).map((item) => {
    if (isOperators(item) && Object.keys(item)[0] !== '$elemMatch')
      throw badValue('no $ expressions in $all');
    if (isOperators(item)) return whole(elemMatch(item.$elemMatch));
    return some(item instanceof BSONRegExp ? matches(item) : equals(item));
  });
  return conditions.length > 0 ? all(conditions) : () => () => false;
}

function near(operand: unknown, beside: Doc): Condition {
  if (Object.keys(beside).length > 1) throw notSupported('a condition beside $near on the same field');
  const { centre, min, max } = nearSpec(operand);
  return whole((value) => {
    const point = pointOf(value);
    const metres = point ? distance(centre, point) : Number.NaN;
    return metres >= min && metres <= max;
  });
}

const nearSpec = (operand: unknown): Near => {
  const spec = isDoc(operand) ? operand : {};
  return parseNear(own(spec, '$geometry'), spec);
};

function negated(operand: unknown): Condition {
  if (operand instanceof BSONRegExp) return not(some(matches(operand)));
  if (!isOperators(operand)) throw badValue('$not needs a regex or a document of operators');
  return not(conditionOf(operand));
}

const ranges = Object.fromEntries(
  ['$gt', '$gte', '$lt', '$lte'].map((name) => [name, (operand: unknown) => some(range(name, operand))]),
);

/** The operators of a condition; `beside` are an operator's neighbours. None for what belongs to a neighbour. */
const operators: Record<string, (operand: unknown, beside: Doc) => Condition | undefined> = {
  ...ranges,
  $eq: (operand) => some(equals(operand)),
  $ne: (operand) => {
    if (operand instanceof BSONRegExp) throw badValue("Can't have regex as arg to $ne.");
    return not(some(equals(operand)));
  },
  $in: (operand) => some(within('$in', operand)),
  $nin: (operand) => not(some(within('$nin', operand))),
  $exists: (operand) => {
    const exists = whole((value) => value !== undefined);
    return operand === false || operand === null || numberOf(operand) === 0 ? not(exists) : exists;
  },
  $type: (operand) => {
    const names = new Set((Array.isArray(operand) ? operand : [operand]).flatMap(typeNames));
    return some((value) => value !== undefined && names.has(typeName(value)));
  },
  $size: (operand) => whole(size(operand)),
  $all: allOf,
  $elemMatch: (operand) => whole(elemMatch(operand)),
  $not: negated,
  $regex: (operand, beside) => {
    const regex = regexOf(operand, own(beside, '$options'));
    return some((value) => typeof value === 'string' && regex.test(value));
  },
  $options: (_operand, beside) => {
    if (own(beside, '$regex') === undefined) throw badValue('$options needs a $regex');
    return undefined;
  },
  $geoWithin: (operand) => {
    const shape = parseShape(operand);
    return whole((value) => {
      const point = pointOf(value);
      return point !== undefined && shape.contains(point);
    });
  },
  $near: near,
  $nearSphere: near,
};
const ABSENT = /^\$(mod|geoIntersects|bits(All|Any)(Set|Clear)|where|text|jsonSchema|expr|sampleRate)$/;

function lookUp<T>(table: Record<string, T>, name: string, unknown: string): T {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found !== undefined) return found;
  throw ABSENT.test(name) ? notSupported(name) : badValue(`${unknown}: ${name}`);
}

function conditionOf(spec: Doc): Condition {
  return all(
    Object.keys(spec).flatMap((name) => lookUp(operators, name, 'unknown operator')(spec[name], spec) ?? []),
  );
}

/** Whether an operand is a document of operators, and not a value, as a reference `{$ref, $id}` is. */
export function isOperators(operand: unknown): operand is Doc {
  const [first] = isDoc(operand) ? Object.keys(operand) : [];
  return first?.startsWith('$') === true && first !== '$ref' && first !== '$id';
}

function clauses(name: string, operand: unknown, variables: Doc | undefined): Matcher[] {
  if (list(name, operand).length === 0) throw badValue(`${name} must be a nonempty array`);
  return list(name, operand).map((clause) => {
    if (!isDoc(clause)) throw badValue('$or/$and/$nor entries need to be full objects');
    return compileFilter(clause, variables);
  });
}

const isFalse = (value: unknown) =>
  value === false || value === null || value === undefined || numberOf(value) === 0;

const logical: Record<string, (operand: unknown, variables: Doc | undefined) => Matcher> = {
  $and: (operand, variables) => {
    const matchers = clauses('$and', operand, variables);
    return (doc) => matchers.every((matcher) => matcher(doc));
  },
  $or: (operand, variables) => {
    const matchers = clauses('$or', operand, variables);
    return (doc) => matchers.some((matcher) => matcher(doc));
  },
  $nor: (operand, variables) => {
    const matchers = clauses('$nor', operand, variables);
    return (doc) => !matchers.some((matcher) => matcher(doc));
  },
  $expr: (operand, variables) => {
    const value = compileExpression(operand, variables);
    return (doc) => !isFalse(value(doc));
  },
  $comment: () => () => true,
};

/** Compiles a condition on one path. */
export function compileCondition(path: string, operand: unknown): Matcher {
  const parts = path.split('.');
  if (isOperators(operand)) return conditionOf(operand)(parts);
  return some(operand instanceof BSONRegExp ? matches(operand) : equals(operand))(parts);
}

/** Compiles a query filter, refusing whatever this server would have to guess at. */
export function compileFilter(filter: Doc, variables?: Doc): Matcher {
  const matchers = Object.keys(filter).map((key) => {
    if (!key.startsWith('$')) return compileCondition(key, filter[key]);
    return lookUp(logical, key, 'unknown top level operator')(filter[key], variables);
  });
  const [only] = matchers;
  return only && matchers.length === 1 ? only : (doc) => matchers.every((matcher) => matcher(doc));
}

/** The conditions that a filter as a whole rests on, those inside `$and` too, as pairs of path and operand. */
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
    const spec = isOperators(operand) ? (own(operand, '$near') ?? own(operand, '$nearSphere')) : undefined;
    if (spec !== undefined) return { path, near: nearSpec(spec) };
  }
  return undefined;
}

const nest = (parts: string[], value: unknown): unknown =>
  parts.reduceRight((inner, part) => {
    const doc: Doc = {};
    put(doc, part, inner);
    return doc;
  }, value);

/** The position in an array that made a document match, which the positional operator `$` stands for. */
export function matchedPosition(filter: Doc, doc: Doc, arrayPath: string): number | undefined {
  const parts = arrayPath.split('.');
  for (const [path, operand] of conditionsOf(filter)) {
    if (path !== arrayPath && !path.startsWith(`${arrayPath}.`)) continue;
    const matcher = compileCondition(path, operand);
    let position = -1;
    visitPath(doc, parts, (value) => {
      position = Array.isArray(value) ? value.findIndex((item) => matcher(nest(parts, [item]))) : -1;
      return position >= 0;
    });
    if (position >= 0) return position;
  }
  return undefined;
}
