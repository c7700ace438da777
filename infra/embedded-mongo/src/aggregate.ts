import type { Collection } from './engine.ts';
import { notSupported, ServerError } from './errors.ts';
import { compileFilter } from './matcher.ts';
import { compare, keyOf, parseSort, sortBy } from './order.ts';
import { compileProjection, valueAt } from './paths.ts';
import { select } from './query.ts';
import { type Doc, isDoc, makeNumber, numberOf, ownValue, widestNumberKind } from './values.ts';

type Stage = (docs: Doc[], operand: unknown) => Doc[];
type Step = { name: string; operand: unknown };

function requireDocument(operand: unknown, name: string): Doc {
  if (isDoc(operand)) return operand;
  throw new ServerError(40272, `the ${name} specification must be an object`);
}

function requireInteger(operand: unknown, name: string, min = 1): number {
  const number = numberOf(operand);
  if (number !== undefined && Number.isInteger(number) && number >= min) return number;
  throw new ServerError(15957, `${name} takes a whole number of at least ${min}`);
}

/** The minimum or maximum of all values except missing ones and null. */
function minOrMax(values: unknown[], direction: 1 | -1): unknown {
  const present = values.filter((value) => value !== undefined && value !== null);
  return present.reduce(
    (best, each) => (direction * compare(each, best) > 0 ? each : best),
    present[0] ?? null,
  );
}

const accumulators: Record<string, (values: unknown[]) => unknown> = {
  $sum: (values) => {
    const numbers = values.filter((value) => numberOf(value) !== undefined);
    const sum = numbers.reduce<number>((total, each) => total + (numberOf(each) ?? 0), 0);
    return makeNumber(widestNumberKind(numbers), sum);
  },
  $min: (values) => minOrMax(values, -1),
  $max: (values) => minOrMax(values, 1),
};

/** The value of an expression for a document; undefined if it is missing. */
type Expression = (doc: Doc) => unknown;

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

const operators: Record<string, (...args: unknown[]) => unknown> = {
  $arrayElemAt(list, at) {
    if (Array.isArray(list) && isCount(at)) return list[at];
    if (list === null || list === undefined) return null;
    throw notSupported('$arrayElemAt of anything but an array and a count');
  },
  $substrCP(text, from, length) {
    if (typeof text === 'string' && isCount(from) && isCount(length))
      return [...text].slice(from, from + length).join('');
    throw notSupported('$substrCP of anything but a text and two counts');
  },
};

/** Compiles an aggregation expression: a path, a value, a document of expressions or one of the operators. */
function compileExpression(operand: unknown): Expression {
  if (typeof operand === 'string' && operand.startsWith('$')) {
    if (operand.startsWith('$$')) throw new ServerError(17276, `Use of undefined variable: ${operand}`);
    const parts = operand.slice(1).split('.');
    if (parts.includes('')) throw new ServerError(40353, `'${operand}' is no path of fields`);
    return (doc) => valueAt(doc, parts);
  }
  if (Array.isArray(operand)) throw notSupported('an array as an expression');
  if (!isDoc(operand)) return () => operand;
  const [name = '', ...more] = Object.keys(operand);
  if (!name.startsWith('$')) {
    const bad = Object.keys(operand).find((key) => /^$|^\$|\./.test(key));
    if (bad !== undefined) throw new ServerError(16412, `'${bad}' cannot name a field of an expression`);
    const fields = Object.entries(operand).map(([key, each]) => [key, compileExpression(each)] as const);
    const valuesIn = (doc: Doc) => fields.map(([key, value]) => [key, value(doc)] as const);
    return (doc) => Object.fromEntries(valuesIn(doc).filter(([, value]) => value !== undefined));
  }
  const evaluate = ownValue(operators, name);
  if (!evaluate || more.length > 0) throw new ServerError(168, `Unrecognized expression '${name}'`);
  const args = operand[name];
  if (!Array.isArray(args) || args.length !== evaluate.length)
    throw new ServerError(16020, `${name} takes ${evaluate.length} arguments`);
  const expressions = args.map(compileExpression);
  return (doc) => evaluate(...expressions.map((expression) => expression(doc)));
}

function group(docs: Doc[], operand: unknown): Doc[] {
  const { _id, ...fields } = requireDocument(operand, '$group');
  if (_id === undefined) throw new ServerError(15955, 'a group specification must include an _id');
  const idOf = compileExpression(_id);
  const accumulations = Object.entries(fields).map(([name, spec]) => {
    const [operator = '', ...more] = isDoc(spec) ? Object.keys(spec) : [];
    const accumulate = ownValue(accumulators, operator);
    if (!isDoc(spec) || name.includes('.')) throw new ServerError(40234, `'${name}' is no accumulator`);
    if (!accumulate || more.length > 0) throw new ServerError(15952, `unknown group operator '${operator}'`);
    return { name, accumulate, value: compileExpression(spec[operator]) };
  });
  const groups = new Map<string, { id: unknown; docs: Doc[] }>();
  for (const doc of docs) {
    const id = idOf(doc) ?? null;
    const members = groups.get(keyOf(id));
    if (members) members.docs.push(doc);
    else groups.set(keyOf(id), { id, docs: [doc] });
  }
  return [...groups.values()].map(({ id, docs: members }) => {
    const fields = accumulations.map(({ name, accumulate, value }) => [name, accumulate(members.map(value))]);
    return { _id: id, ...Object.fromEntries(fields) };
  });
}

function sample(docs: Doc[], operand: unknown): Doc[] {
  const size = requireInteger(requireDocument(operand, '$sample').size, '$sample');
  const sampled = docs.map((doc) => ({ doc, sortKey: Math.random() })).sort((a, b) => a.sortKey - b.sortKey);
  return sampled.slice(0, size).map(({ doc }) => doc);
}

const stages: Record<string, Stage> = {
  $match: (docs, operand) => docs.filter(compileFilter(requireDocument(operand, '$match'))),
  $sort: (docs, operand) => sortBy(docs, (doc) => doc, parseSort(requireDocument(operand, '$sort'))),
  $limit: (docs, operand) => docs.slice(0, requireInteger(operand, '$limit')),
  $skip: (docs, operand) => docs.slice(requireInteger(operand, '$skip', 0)),
  $project: (docs, operand) => docs.map(compileProjection(requireDocument(operand, '$project'))),
  $group: group,
  $sample: sample,
};
const UNSUPPORTED =
  /^\$(addFields|bucket|bucketAuto|changeStream|collStats|count|densify|documents|facet|fill|geoNear|graphLookup|indexStats|list\w+|lookup|merge|out|redact|replaceRoot|replaceWith|set|setWindowFields|sortByCount|unionWith|unset|unwind)$/;

function parseStep(stage: unknown): Step {
  const [name = '', ...more] = isDoc(stage) ? Object.keys(stage) : [];
  if (!isDoc(stage) || more.length > 0) throw new ServerError(40323, 'A stage has exactly one field');
  const operand = stage[name];
  const isEmpty = isDoc(operand) && Object.keys(operand).length === 0;
  if (isEmpty && name === '$sort') throw new ServerError(15976, '$sort must have at least one sort key');
  if (isEmpty && name === '$project') throw new ServerError(51272, '$project must have at least one field');
  if (Object.hasOwn(stages, name)) return { name, operand };
  if (UNSUPPORTED.test(name)) throw notSupported(`the stage ${name}`);
  throw new ServerError(40324, `Unrecognized pipeline stage name: '${name}'`);
}

/** Runs a pipeline over a collection; its initial $match and $sort may use an index. */
export function aggregate(collection: Collection, pipeline: unknown[], hint?: unknown): Doc[] {
  const steps = pipeline.map(parseStep);
  const take = (name: string) => (steps[0]?.name === name ? steps.shift()?.operand : {});
  const filter = requireDocument(take('$match'), '$match');
  const sort = requireDocument(take('$sort'), '$sort');
  // A query may contain $near, a pipeline may not.
  compileFilter(filter);
  const limit = steps[0]?.name === '$limit' ? requireInteger(steps[0].operand, '$limit') : 0;
  const found = select(collection, { filter, sort, limit, hint }).map(({ doc }) => doc);
  return steps.reduce((docs, { name, operand }) => stages[name]?.(docs, operand) ?? docs, found);
}
