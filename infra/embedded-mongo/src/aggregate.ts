import type { Collection, Engine } from './engine.ts';
import { badValue, notSupported, ServerError } from './errors.ts';
import { compileExpression } from './expressions.ts';
import { pointOf } from './geo.ts';
import { compileFilter, nearOf } from './matcher.ts';
import { compare, keyOf, parseSort } from './order.ts';
import { valueAt } from './paths.ts';
import { compileProjection, leavesOf, setComputed } from './projection.ts';
import { byDistance, select, sortBy } from './query.ts';
import { type Doc, isDoc, makeNumber, type NumberKind, numberKind, numberOf, own, put } from './values.ts';

type Context = { engine: Engine; db: string; variables: Doc | undefined };
type Stage = (docs: Doc[], operand: unknown, context: Context) => Doc[];

const needDoc = (operand: unknown, name: string): Doc => {
  if (!isDoc(operand)) throw new ServerError(40272, `the ${name} specification must be an object`);
  return operand;
};

function whole(operand: unknown, name: string, least: number): number {
  const number = numberOf(operand);
  if (number === undefined || !Number.isInteger(number) || number < least) {
    throw new ServerError(
      15958,
      `invalid argument to ${name} stage: a number of at least ${least} is needed`,
    );
  }
  return number;
}

const KINDS: NumberKind[] = ['int', 'long', 'double'];

function total(values: unknown[]): unknown {
  let sum = 0;
  let kind = 0;
  for (const value of values) {
    const number = numberOf(value);
    if (number === undefined) continue;
    sum += number;
    kind = Math.max(kind, KINDS.indexOf(numberKind(value)));
  }
  return makeNumber(KINDS[kind] ?? 'double', sum);
}

const extreme = (values: unknown[], wanted: 1 | -1) =>
  values.reduce((best, value) => {
    if (value === null || value === undefined) return best;
    return best === null || wanted * compare(value, best) > 0 ? value : best;
  }, null);

const accumulators: Record<string, (values: unknown[]) => unknown> = {
  $sum: total,
  $avg: (values) => {
    const numbers = values.map(numberOf).filter((number) => number !== undefined);
    if (numbers.length === 0) return null;
    return makeNumber('double', numbers.reduce((a, b) => a + b, 0) / numbers.length);
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

const group: Stage = (docs, operand, { variables }) => {
  const spec = needDoc(operand, '$group');
  if (!Object.hasOwn(spec, '_id')) throw new ServerError(15955, 'a group specification must include an _id');
  const id = compileExpression(spec._id, variables);
  const fields = Object.entries(spec).flatMap(([name, accumulator]) => {
    if (name === '_id') return [];
    if (name.includes('.')) throw new ServerError(40235, `The field name '${name}' cannot contain '.'`);
    const [operator = '', ...more] = isDoc(accumulator) ? Object.keys(accumulator) : [];
    if (!isDoc(accumulator) || more.length > 0 || operator === '') {
      throw new ServerError(40234, `The field '${name}' must be an accumulator object`);
    }
    const gather = Object.hasOwn(accumulators, operator) ? accumulators[operator] : undefined;
    if (!gather) throw new ServerError(15952, `unknown group operator '${operator}'`);
    const argument = operator === '$count' ? 1 : accumulator[operator];
    return [{ name, gather, value: compileExpression(argument, variables) }];
  });
  const groups = new Map<string, { id: unknown; docs: Doc[] }>();
  for (const doc of docs) {
    const value = id(doc) ?? null;
    const key = keyOf(value);
    const members = groups.get(key);
    if (members) members.docs.push(doc);
    else groups.set(key, { id: value, docs: [doc] });
  }
  return [...groups.values()].map((members) => {
    const result: Doc = { _id: members.id };
    for (const { name, gather, value } of fields) put(result, name, gather(members.docs.map(value)));
    return result;
  });
};

const addFields: Stage = (docs, operand, { variables }) => {
  const computed = Object.entries(needDoc(operand, '$addFields')).map(([path, expression]) => ({
    parts: path.split('.'),
    value: compileExpression(expression, variables),
  }));
  return docs.map((doc) => {
    const result = { ...doc };
    for (const { parts, value } of computed) {
      const found = value(doc);
      // A missing value takes the field away: as $$REMOVE does.
      if (found === undefined && parts.length === 1) delete result[parts[0] ?? ''];
      else setComputed(result, parts, found);
    }
    return result;
  });
};

const unset: Stage = (docs, operand) => {
  const paths: unknown[] = Array.isArray(operand) ? operand : [operand];
  if (paths.length === 0 || !paths.every((path) => typeof path === 'string')) {
    throw new ServerError(31002, '$unset specification must be a string or an array');
  }
  return docs.map(compileProjection(Object.fromEntries(paths.map((path) => [path, 0]))));
};

const replaceRoot =
  (name: string): Stage =>
  (docs, operand, { variables }) => {
    const expression = name === '$replaceRoot' ? needDoc(operand, name).newRoot : operand;
    const value = compileExpression(expression, variables);
    return docs.map((doc) => {
      const root = value(doc);
      if (!isDoc(root)) throw new ServerError(40228, `'${name}' must evaluate to an object`);
      return root;
    });
  };

const unwind: Stage = (docs, operand) => {
  const spec: Doc = typeof operand === 'string' ? { path: operand } : needDoc(operand, '$unwind');
  const { path, includeArrayIndex: indexName, preserveNullAndEmptyArrays: preserve } = spec;
  if (typeof path !== 'string' || !path.startsWith('$')) {
    throw new ServerError(28818, "path option to $unwind stage should be prefixed with a '$'");
  }
  if (indexName !== undefined && typeof indexName !== 'string')
    throw new ServerError(28810, 'includeArrayIndex must be a string');
  const parts = path.slice(1).split('.');
  const one = (doc: Doc, value: unknown, index: number | null) => {
    const result = { ...doc };
    if (index !== null) setComputed(result, parts, value);
    if (indexName)
      setComputed(result, indexName.split('.'), index === null ? null : makeNumber('long', index));
    return result;
  };
  return docs.flatMap((doc) => {
    const value = valueAt(doc, parts);
    if (Array.isArray(value) && value.length > 0) return value.map((item, i) => one(doc, item, i));
    const nothing = value === undefined || value === null || Array.isArray(value);
    if (nothing && preserve !== true) return [];
    const bare = Array.isArray(value) ? compileProjection({ [parts.join('.')]: 0 })(doc) : doc;
    return [one(bare, value, null)];
  });
};

function collectionOf({ engine, db }: Context, name: unknown): Collection | undefined {
  if (typeof name !== 'string') throw new ServerError(9, "'from' must be the name of a collection");
  return engine.collections.get(`${db}.${name}`);
}

const docsOf = (collection: Collection | undefined) =>
  [...(collection?.stored ?? [])].map((stored) => stored.doc);

const lookup: Stage = (docs, operand, context) => {
  const { from, localField, foreignField, as, pipeline, let: lets, ...rest } = needDoc(operand, '$lookup');
  const [unknown] = Object.keys(rest);
  if (unknown) throw new ServerError(9, `unknown argument to $lookup: ${unknown}`);
  if (typeof as !== 'string') throw new ServerError(9, "must specify 'as' field for a $lookup");
  const collection = collectionOf(context, from);
  const stages = pipeline === undefined ? [] : parsePipeline(pipeline);
  const variables = Object.entries(isDoc(lets) ? lets : {}).map(
    ([name, expression]) => [name, compileExpression(expression, context.variables)] as const,
  );
  return docs.map((doc) => {
    let joined: Doc[];
    if (typeof localField === 'string' && typeof foreignField === 'string') {
      const values = leavesOf(doc, localField);
      const filter = { [foreignField]: { $in: values.length ? values : [null] } };
      joined = select(collection, { filter }).map((stored) => stored.doc);
    } else if (stages.length > 0 || pipeline !== undefined) joined = docsOf(collection);
    else throw new ServerError(9, '$lookup needs localField and foreignField, or a pipeline');
    const inner = Object.fromEntries(variables.map(([name, value]) => [name, value(doc)]));
    const result = { ...doc };
    const within = { ...context, variables: { ...context.variables, ...inner } };
    setComputed(result, as.split('.'), runStages(joined, stages, within));
    return result;
  });
};

const facet: Stage = (docs, operand, context) => {
  const result: Doc = {};
  for (const [name, pipeline] of Object.entries(needDoc(operand, '$facet'))) {
    put(result, name, runStages(docs, parsePipeline(pipeline), context));
  }
  return [result];
};

const unionWith: Stage = (docs, operand, context) => {
  const spec: Doc = typeof operand === 'string' ? { coll: operand } : needDoc(operand, '$unionWith');
  const added = docsOf(collectionOf(context, own(spec, 'coll')));
  return [...docs, ...runStages(added, parsePipeline(own(spec, 'pipeline') ?? []), context)];
};

const count: Stage = (docs, operand) => {
  if (typeof operand !== 'string' || operand === '' || operand.startsWith('$') || operand.includes('.')) {
    throw new ServerError(40156, 'the count field must be a non-empty string without $ and dots');
  }
  return docs.length === 0 ? [] : [{ [operand]: docs.length }];
};

const sample: Stage = (docs, operand) => {
  const size = whole(needDoc(operand, '$sample').size, '$sample', 0);
  const pool = docs.slice();
  for (let i = 0; i < Math.min(size, pool.length); i++) {
    const j = i + Math.floor(Math.random() * (pool.length - i));
    const [a, b] = [pool[i], pool[j]];
    if (a && b) [pool[i], pool[j]] = [b, a];
  }
  return pool.slice(0, size);
};

function match(operand: unknown): Doc {
  if (!isDoc(operand)) throw new ServerError(15959, 'the match filter must be an expression in an object');
  if (nearOf(operand)) throw badValue('$geoNear, $near, and $nearSphere are not allowed in this context');
  return operand;
}

const stages: Record<string, Stage> = {
  $match: (docs, operand, { variables }) => docs.filter(compileFilter(match(operand), variables)),
  $sort: (docs, operand) =>
    sortBy(docs, (doc) => doc, parseSort(needDoc(operand, '$sort')), Number.POSITIVE_INFINITY),
  $limit: (docs, operand) => docs.slice(0, whole(operand, '$limit', 1)),
  $skip: (docs, operand) => docs.slice(whole(operand, '$skip', 0)),
  $count: count,
  $group: group,
  $project: (docs, operand, { variables }) => {
    const spec = needDoc(operand, '$project');
    if (Object.keys(spec).length === 0) throw new ServerError(51272, '$project must have at least one field');
    return docs.map(compileProjection(spec, undefined, variables));
  },
  $addFields: addFields,
  $set: addFields,
  $unset: unset,
  $replaceRoot: replaceRoot('$replaceRoot'),
  $replaceWith: replaceRoot('$replaceWith'),
  $unwind: unwind,
  $lookup: lookup,
  $facet: facet,
  $unionWith: unionWith,
  $sample: sample,
  $sortByCount: (docs, operand, context) => {
    const groups = group(docs, { _id: operand, count: { $sum: 1 } }, context);
    return sortBy(groups, (doc) => doc, parseSort({ count: -1 }), Number.POSITIVE_INFINITY);
  },
};

const KNOWN_BUT_ABSENT = new Set(
  '$bucket $bucketAuto $changeStream $collStats $currentOp $densify $documents $fill $geoNear $graphLookup $indexStats $listLocalSessions $listSessions $merge $out $planCacheStats $redact $search $setWindowFields'.split(
    ' ',
  ),
);

type Step = { name: string; operand: unknown };

/** Reads a pipeline, refusing what is not a stage of this server. */
export function parsePipeline(pipeline: unknown): Step[] {
  if (!Array.isArray(pipeline)) throw new ServerError(14, "'pipeline' option must be specified as an array");
  return pipeline.map((stage: unknown, i): Step => {
    const [name = '', ...more] = isDoc(stage) ? Object.keys(stage) : [];
    if (!isDoc(stage) || more.length > 0 || name === '') {
      throw new ServerError(40323, 'A pipeline stage specification object must contain exactly one field.');
    }
    if (name === '$geoNear' && i === 0) return { name, operand: stage[name] };
    if (!Object.hasOwn(stages, name)) {
      if (KNOWN_BUT_ABSENT.has(name))
        throw notSupported(`the stage ${name}${name === '$geoNear' ? ' after another' : ''}`);
      throw new ServerError(40324, `Unrecognized pipeline stage name: '${name}'`);
    }
    return { name, operand: stage[name] };
  });
}

function runStages(docs: Doc[], steps: Step[], context: Context): Doc[] {
  return steps.reduce((found, { name, operand }) => {
    const stage = stages[name];
    if (!stage) throw notSupported(`the stage ${name} here`);
    return stage(found, operand, context);
  }, docs);
}

function geoNear(collection: Collection | undefined, operand: unknown, { variables }: Context): Doc[] {
  const spec = needDoc(operand, '$geoNear');
  const {
    near,
    distanceField,
    maxDistance,
    minDistance,
    query,
    key,
    includeLocs,
    distanceMultiplier,
    spherical,
    ...rest
  } = spec;
  const [unknown] = Object.keys(rest);
  if (unknown) throw new ServerError(9, `unknown argument to $geoNear: ${unknown}`);
  const centre = isDoc(near) && own(near, 'type') === 'Point' ? pointOf(near) : undefined;
  if (!centre) throw notSupported('$geoNear without a GeoJSON point');
  if (typeof distanceField !== 'string') throw badValue('$geoNear requires a distanceField');
  const max = maxDistance === undefined ? Number.POSITIVE_INFINITY : (numberOf(maxDistance) ?? Number.NaN);
  const min = minDistance === undefined ? 0 : (numberOf(minDistance) ?? Number.NaN);
  if (!(max >= 0) || !(min >= 0)) throw badValue('$geoNear distances must be non-negative numbers');
  const matches = compileFilter(isDoc(query) ? match(query) : {}, variables);
  if (!collection) return [];
  return byDistance(collection, typeof key === 'string' ? key : undefined, centre, max)
    .filter(({ stored, metres }) => metres <= max && metres >= min && matches(stored.doc))
    .map(({ stored, metres, point }) => {
      const result = { ...stored.doc };
      setComputed(
        result,
        distanceField.split('.'),
        makeNumber('double', metres * (numberOf(distanceMultiplier) ?? 1)),
      );
      if (typeof includeLocs === 'string') setComputed(result, includeLocs.split('.'), point);
      return result;
    });
}

/** Runs a pipeline over a collection, the filter and order it begins with by an index. */
export function aggregate(
  collection: Collection | undefined,
  steps: Step[],
  context: Context,
  hint?: unknown,
): Doc[] {
  const [first] = steps;
  if (first?.name === '$geoNear')
    return runStages(geoNear(collection, first.operand, context), steps.slice(1), context);
  let rest = steps;
  let filter: Doc = {};
  let sort: Doc | undefined;
  let limit: number | undefined;
  if (rest[0]?.name === '$match') {
    filter = match(rest[0].operand);
    rest = rest.slice(1);
  }
  if (rest[0]?.name === '$sort') {
    sort = needDoc(rest[0].operand, '$sort');
    rest = rest.slice(1);
  }
  if (rest[0]?.name === '$limit') {
    limit = whole(rest[0].operand, '$limit', 1);
    rest = rest.slice(1);
  }
  const found = select(collection, { filter, sort, limit, hint, variables: context.variables });
  return runStages(
    found.map((stored) => stored.doc),
    rest,
    context,
  );
}

const UPDATE_STAGES = new Set('$addFields $set $unset $project $replaceRoot $replaceWith'.split(' '));

/** Runs an update that is a pipeline over one document. */
export function applyPipeline(doc: Doc, pipeline: unknown[], context: Context): Doc {
  const steps = parsePipeline(pipeline);
  const wrong = steps.find(({ name }) => !UPDATE_STAGES.has(name));
  if (wrong) throw new ServerError(72, `${wrong.name} is not allowed to be used within an update`);
  const [result = doc] = runStages([doc], steps, context);
  return result;
}
