import type { Collection } from './engine.ts';
import { badValue, notSupported, ServerError } from './errors.ts';
import { compileExpression } from './expressions.ts';
import { parseNear } from './geo.ts';
import { compileFilter, nearOf } from './matcher.ts';
import { compare, keyOf, parseSort } from './order.ts';
import { compileFields, compileProjection } from './projection.ts';
import { byDistance, select, sortBy } from './query.ts';
import { type Doc, isDoc, makeNumber, numberOf, own, put, widest } from './values.ts';

type Stage = (docs: Doc[], operand: unknown, variables: Doc | undefined) => Doc[];
export type Step = { name: string; operand: unknown };

function needDoc(operand: unknown, name: string): Doc {
  if (isDoc(operand)) return operand;
  throw new ServerError(40272, `the ${name} specification must be an object`);
}

function whole(operand: unknown, name: string, least: number): number {
  const number = numberOf(operand);
  if (number !== undefined && Number.isInteger(number) && number >= least) return number;
  throw new ServerError(
    15957,
    `invalid argument to ${name} stage: a whole number of at least ${least} is needed`,
  );
}

const isPresent = (value: unknown) => value !== undefined && value !== null;
const extreme = (values: unknown[], wanted: 1 | -1) =>
  values
    .filter(isPresent)
    .reduce((best, value) => (wanted * compare(value, best) > 0 ? value : best), values.find(isPresent)) ??
  null;
const add = (values: number[]) => values.reduce((a, b) => a + b, 0);
const numbersOf = (values: unknown[]) => values.map(numberOf).filter((number) => number !== undefined);

const accumulators: Record<string, (values: unknown[]) => unknown> = {
  $sum: (values) => {
    const numbers = values.filter((value) => numberOf(value) !== undefined);
    return makeNumber(widest(numbers), add(numbersOf(numbers)));
  },
  $avg: (values) => {
    const numbers = numbersOf(values);
    return numbers.length > 0 ? makeNumber('double', add(numbers) / numbers.length) : null;
  },
  $min: (values) => extreme(values, -1),
  $max: (values) => extreme(values, 1),
  $first: (values) => values[0] ?? null,
  $last: (values) => values.at(-1) ?? null,
  $push: (values) => values.filter((value) => value !== undefined),
  $addToSet: (values) => [
    ...new Map(values.filter((value) => value !== undefined).map((value) => [keyOf(value), value])).values(),
  ],
  $count: (values) => values.length,
};

const group: Stage = (docs, operand, variables) => {
  const { _id, ...fields } = needDoc(operand, '$group');
  if (_id === undefined) throw new ServerError(15955, 'a group specification must include an _id');
  const id = compileExpression(_id, variables);
  const gathered = Object.entries(fields).map(([name, spec]) => {
    const [operator = '', ...more] = isDoc(spec) ? Object.keys(spec) : [];
    const gather = Object.hasOwn(accumulators, operator) ? accumulators[operator] : undefined;
    if (!isDoc(spec) || more.length > 0 || name.includes('.'))
      throw new ServerError(40234, `The field '${name}' must be an accumulator object`);
    if (!gather) throw new ServerError(15952, `unknown group operator '${operator}'`);
    return { name, gather, value: compileExpression(operator === '$count' ? 1 : spec[operator], variables) };
  });
  const groups = new Map<string, { id: unknown; docs: Doc[] }>();
  for (const doc of docs) {
    const value = id(doc) ?? null;
    const key = keyOf(value);
    const members = groups.get(key) ?? { id: value, docs: [] };
    members.docs.push(doc);
    groups.set(key, members);
  }
  return [...groups.values()].map((members) => {
    const result: Doc = { _id: members.id };
    for (const { name, gather, value } of gathered) put(result, name, gather(members.docs.map(value)));
    return result;
  });
};

const addFields: Stage = (docs, operand, variables) => {
  const fields = compileFields(needDoc(operand, '$addFields'), variables);
  return docs.map((doc) => fields(doc, { ...doc }));
};

const unset: Stage = (docs, operand) => {
  const paths: unknown[] = Array.isArray(operand) ? operand : [operand];
  if (!paths.every((path) => typeof path === 'string')) throw new ServerError(31002, '$unset needs strings');
  return docs.map(compileProjection(Object.fromEntries(paths.map((path) => [path, 0])), false));
};

const replaceWith: Stage = (docs, operand, variables) => {
  const value = compileExpression(operand, variables);
  return docs.map((doc) => {
    const root = value(doc);
    if (!isDoc(root)) throw new ServerError(40228, 'the new root must evaluate to an object');
    return root;
  });
};

const count: Stage = (docs, operand) => {
  if (typeof operand !== 'string' || !/^[^$.][^.]*$/.test(operand)) {
    throw new ServerError(40156, 'the count field must be a non-empty string without $ and dots');
  }
  return docs.length > 0 ? [{ [operand]: docs.length }] : [];
};

const sample: Stage = (docs, operand) => {
  const size = whole(needDoc(operand, '$sample').size, '$sample', 1);
  const drawn = docs.map((doc) => ({ doc, lot: Math.random() })).sort((a, b) => a.lot - b.lot);
  return drawn.slice(0, size).map(({ doc }) => doc);
};

function match(operand: unknown): Doc {
  if (!isDoc(operand)) throw new ServerError(15959, 'the match filter must be an expression in an object');
  if (nearOf(operand)) throw badValue('$geoNear, $near, and $nearSphere are not allowed in this context');
  return operand;
}

const stages: Record<string, Stage> = {
  $match: (docs, operand, variables) => docs.filter(compileFilter(match(operand), variables)),
  $sort: (docs, operand) => sortBy(docs, (doc) => doc, parseSort(needDoc(operand, '$sort'))),
  $limit: (docs, operand) => docs.slice(0, whole(operand, '$limit', 1)),
  $skip: (docs, operand) => docs.slice(whole(operand, '$skip', 0)),
  $count: count,
  $group: group,
  $sample: sample,
  $project: (docs, operand, variables) => {
    const spec = needDoc(operand, '$project');
    if (Object.keys(spec).length === 0)
      throw new ServerError(51272, 'projection specification must have at least one field');
    return docs.map(compileProjection(spec, false, variables));
  },
  $addFields: addFields,
  $set: addFields,
  $unset: unset,
  $replaceRoot: (docs, operand, variables) =>
    replaceWith(docs, needDoc(operand, '$replaceRoot').newRoot, variables),
  $replaceWith: replaceWith,
};
const ABSENT =
  /^\$(geoNear|bucket|bucketAuto|collStats|densify|documents|facet|fill|graphLookup|indexStats|list\w+|lookup|merge|out|redact|setWindowFields|sortByCount|unionWith|unwind)$/;

/** Reads a pipeline, refusing what is not a stage of this server. */
export function parsePipeline(pipeline: unknown): Step[] {
  if (!Array.isArray(pipeline)) throw new ServerError(14, "'pipeline' option must be specified as an array");
  return pipeline.map((stage: unknown, i): Step => {
    const [name = '', ...more] = isDoc(stage) ? Object.keys(stage) : [];
    if (!isDoc(stage) || more.length > 0) {
      throw new ServerError(40323, 'A pipeline stage specification object must contain exactly one field.');
    }
    if (!Object.hasOwn(stages, name) && !(name === '$geoNear' && i === 0)) {
      if (ABSENT.test(name))
        throw notSupported(`the stage ${name}${name === '$geoNear' ? ' after another' : ''}`);
      throw new ServerError(40324, `Unrecognized pipeline stage name: '${name}'`);
    }
    return { name, operand: stage[name] };
  });
}

/** Runs stages over documents in memory. */
export function runStages(docs: Doc[], steps: Step[], variables: Doc | undefined): Doc[] {
  return steps.reduce((found, { name, operand }) => stages[name]?.(found, operand, variables) ?? found, docs);
}

const NEAR_FIELDS = new Set([
  'near',
  'distanceField',
  'maxDistance',
  'minDistance',
  'query',
  'key',
  'spherical',
  'includeLocs',
]);

function geoNear(collection: Collection | undefined, operand: unknown, variables: Doc | undefined): Doc[] {
  const spec = needDoc(operand, '$geoNear');
  const unknown = Object.keys(spec).find((key) => !NEAR_FIELDS.has(key));
  if (unknown) throw notSupported(`the option ${unknown} of $geoNear`);
  const { distanceField, includeLocs, key } = spec;
  if (typeof distanceField !== 'string') throw badValue('$geoNear requires a distanceField');
  const near = parseNear(spec.near, spec, '');
  const matches = compileFilter(match(own(spec, 'query') ?? {}), variables);
  if (!collection) return [];
  const found = byDistance(collection, typeof key === 'string' ? key : undefined, near);
  return found
    .filter(({ stored }) => matches(stored.doc))
    .map(({ stored, metres, point }) => {
      const added = {
        [distanceField]: { $literal: metres },
        ...(typeof includeLocs === 'string' ? { [includeLocs]: { $literal: point } } : {}),
      };
      return compileFields(added)(stored.doc, { ...stored.doc });
    });
}

/** Runs a pipeline over a collection; the filter and order it begins with may go by an index. */
export function aggregate(
  collection: Collection | undefined,
  steps: Step[],
  variables: Doc | undefined,
  hint?: unknown,
): Doc[] {
  const rest = [...steps];
  const take = (name: string) => (rest[0]?.name === name ? rest.shift() : undefined);
  const near = take('$geoNear');
  if (near) return runStages(geoNear(collection, near.operand, variables), rest, variables);
  const filter = match(take('$match')?.operand ?? {});
  const sort = needDoc(take('$sort')?.operand ?? {}, '$sort');
  const limit = rest[0]?.name === '$limit' ? whole(rest[0].operand, '$limit', 1) : undefined;
  const found = select(collection, { filter, sort, limit, hint, variables });
  return runStages(
    found.map(({ doc }) => doc),
    rest,
    variables,
  );
}

const UPDATE_STAGES = /^\$(addFields|set|unset|project|replaceRoot|replaceWith)$/;

/** Runs an update that is a pipeline over one document. */
export function applyPipeline(doc: Doc, pipeline: unknown[], variables: Doc | undefined): Doc {
  const steps = parsePipeline(pipeline);
  const wrong = steps.find(({ name }) => !UPDATE_STAGES.test(name));
  if (wrong) throw new ServerError(72, `${wrong.name} is not allowed to be used within an update`);
  return runStages([doc], steps, variables)[0] ?? doc;
}
