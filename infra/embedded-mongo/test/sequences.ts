import fc from 'fast-check';
import { type Db, MongoServerError, ObjectId } from 'mongodb';
import {
  compare,
  type Doc,
  type Filter,
  type IndexSpec,
  ReferenceModel,
  RejectedError,
} from './reference-model.ts';

const IDS = [new ObjectId('64b000000000000000000001'), new ObjectId('64b000000000000000000002')];
const DATES = [new Date(0), new Date('2024-02-29T12:00:00Z')];

/**
 * With 1, sequences avoid these known differences of DocumentDB from MongoDB: it counts missing fields in a unique index
 * differently, accepts arrays in several fields of an index, sorts an empty array after null, matches everything with an
 * empty `$all`, rejects an `$unset` within a scalar, and accepts `$inc` by 0 for values and any `$inc` for booleans.
 */
const FOR_DOCUMENTDB = process.env.SEQUENCES_OF_DOCUMENTDB === '1';
const minLength = FOR_DOCUMENTDB ? 1 : 0;

const scalar = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -2, max: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(1.5, -0.25, 4_000_000_000) },
  { weight: 4, arbitrary: fc.constantFrom('', 'a', 'ab', 'b', 'é', '\u0000a') },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: FOR_DOCUMENTDB ? fc.constant(1) : fc.boolean() },
  { weight: 1, arbitrary: fc.constantFrom(...DATES) },
  { weight: 1, arbitrary: fc.constantFrom(...IDS) },
);
const small = fc.record({ x: scalar, y: scalar }, { requiredKeys: [], noNullPrototype: true });
export const value = fc.oneof(
  { weight: 8, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { minLength, maxLength: 3 }) },
  { weight: 3, arbitrary: fc.array(fc.integer({ min: -2, max: 4 }), { minLength, maxLength: 3 }) },
  { weight: 2, arbitrary: small },
  { weight: 1, arbitrary: fc.array(small, { minLength, maxLength: 2 }) },
);
const body = fc.record({ a: value, b: value, c: value }, { requiredKeys: [], noNullPrototype: true });
// Few names, so that indexes, conditions and arrays often concern the same field.
const path = fc.constantFrom('a', 'a', 'a', 'b', 'b', 'c', 'a.x', 'a.x', 'b.x', 'c.y');
const top = fc.constantFrom('a', 'a', 'b', 'c');
const integer = fc.integer({ min: -2, max: 4 });

const pair = <T>(name: string, operand: fc.Arbitrary<T>): fc.Arbitrary<Doc> =>
  operand.map((each) => ({ [name]: each }));
const condition: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: value },
  ...['$gt', '$gte', '$lt', '$lte', '$ne', '$eq'].map((name) => ({
    weight: 1,
    arbitrary: pair(name, scalar),
  })),
  { weight: 1, arbitrary: pair('$gte', value) },
  {
    weight: 2,
    arbitrary: fc.tuple(pair('$gt', scalar), pair('$lte', scalar)).map(([a, b]) => ({ ...a, ...b })),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(pair('$gte', integer), pair('$lt', integer)).map(([a, b]) => ({ ...a, ...b })),
  },
  ...['$in', '$nin', '$all'].map((name) => ({
    weight: 1,
    arbitrary: pair(name, fc.array(scalar, { minLength, maxLength: 3 })),
  })),
  { weight: 2, arbitrary: fc.constantFrom(/^a/, /^ab/, /^é/, /^A/i, /b/) },
  { weight: 1, arbitrary: pair('$exists', fc.boolean()) },
  { weight: 1, arbitrary: pair('$size', fc.integer({ min: 0, max: 3 })) },
);
const simple: fc.Arbitrary<Filter> = fc
  .array(fc.tuple(path, condition), { maxLength: 2 })
  .map(Object.fromEntries);
const nonEmpty: fc.Arbitrary<Filter> = simple.filter((each) => Object.keys(each).length > 0);
const filter: fc.Arbitrary<Filter> = fc.oneof(
  { weight: 6, arbitrary: simple },
  ...['$or', '$and', '$nor'].map((name) => ({
    weight: 1,
    arbitrary: fc
      .tuple(fc.array(nonEmpty, { minLength: 1, maxLength: 3 }), simple)
      .map(([clauses, rest]) => ({ ...rest, [name]: clauses })),
  })),
);
const direction = fc.constantFrom(1, -1);
const sort = fc
  .array(fc.tuple(path, direction), { maxLength: 2 })
  .map((fields): Record<string, number> => ({ ...Object.fromEntries(fields), _id: 1 }));
const keys = fc
  .uniqueArray(fc.tuple(path, direction), {
    minLength: 1,
    maxLength: FOR_DOCUMENTDB ? 1 : 2,
    selector: ([name]) => name[0],
  })
  .map((fields): Record<string, number> => Object.fromEntries(fields));

const change: fc.Arbitrary<Record<string, Doc>> = fc.oneof(
  fc.record({ $set: fc.tuple(path, value).map(([at, to]) => ({ [at]: to })) }),
  fc.record({ $set: fc.tuple(top, value).map(([at, to]) => ({ [at]: to })) }),
  fc.record({ $unset: (FOR_DOCUMENTDB ? top : path).map((at) => ({ [at]: '' })) }),
  fc.record({
    $inc: fc
      .tuple(path, fc.integer({ min: FOR_DOCUMENTDB ? 1 : -3, max: 3 }))
      .map(([at, by]) => ({ [at]: by })),
  }),
  ...['$push', '$addToSet', '$max', '$min', ...(FOR_DOCUMENTDB ? [] : ['$pull'])].map((name) =>
    fc.tuple(top, scalar).map(([at, each]) => ({ [name]: { [at]: each } })),
  ),
);

export type Step =
  | { do: 'insert'; doc: Doc }
  | { do: 'update'; filter: Filter; change: Record<string, Doc>; many: boolean; id: number }
  | { do: 'delete'; filter: Filter; many: boolean; id: number }
  | { do: 'find'; filter: Filter; sort: Record<string, number>; skip: number; limit: number }
  | { do: 'distinct'; filter: Filter; path: string }
  | {
      do: 'createIndex';
      keys: Record<string, number>;
      unique: boolean;
      sparse: boolean;
    }
  | { do: 'dropIndex'; which: number };

const id = fc.integer({ min: 1, max: 6 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('insert' as const), doc: body }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('update' as const), filter, change, many: fc.boolean(), id }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), filter, many: fc.boolean(), id }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('find' as const),
      filter,
      sort,
      skip: fc.constantFrom(0, 0, 1),
      limit: fc.constantFrom(0, 0, 1, 2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('distinct' as const), filter, path }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('createIndex' as const),
      keys,
      unique: fc.constantFrom(false, false, !FOR_DOCUMENTDB),
      sparse: fc.constantFrom(false, false, true),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('dropIndex' as const), which: fc.nat(3) }) },
);

/** Sequences that start with inserts, and continue with arbitrary steps. */
export const sequence = fc
  .tuple(fc.array(body, { minLength: 2, maxLength: 5 }), fc.array(step, { minLength: 4, maxLength: 12 }))
  .map(([docs, steps]): Step[] => [...docs.map((doc): Step => ({ do: 'insert', doc })), ...steps]);

async function codeOf(run: () => unknown): Promise<{ code: number; result?: unknown }> {
  try {
    return { code: 0, result: await run() };
  } catch (error) {
    if (error instanceof RejectedError) return { code: error.code };
    if (error instanceof MongoServerError && typeof error.code === 'number') return { code: error.code };
    throw error;
  }
}

const show = (result: unknown) => JSON.stringify(result, (_key, each) => (each === undefined ? null : each));
const plain = (doc: Doc): Doc => Object.fromEntries(Object.entries(doc));

/** Runs a write; throws if the reply contains a write error. */
async function write(db: Db, command: Doc): Promise<Doc> {
  const reply = await db.command(command);
  const [error] = Array.isArray(reply.writeErrors) ? reply.writeErrors : [];
  if (error) throw new RejectedError(error.code);
  return reply;
}

async function runOnServer(
  db: Db,
  name: string,
  step: Step,
  newId: number,
  index: IndexSpec | undefined,
): Promise<unknown> {
  switch (step.do) {
    case 'insert':
      await write(db, { insert: name, documents: [{ _id: newId, ...step.doc }] });
      return newId;
    case 'update': {
      const q = step.many ? step.filter : { ...step.filter, _id: step.id };
      return (await write(db, { update: name, updates: [{ q, u: step.change, multi: step.many }] })).n;
    }
    case 'delete': {
      const q = step.many ? step.filter : { ...step.filter, _id: step.id };
      return (await write(db, { delete: name, deletes: [{ q, limit: step.many ? 0 : 1 }] })).n;
    }
    case 'find': {
      const { filter, sort, skip, limit } = step;
      return (await db.command({ find: name, filter, sort, skip, limit })).cursor.firstBatch;
    }
    case 'distinct':
      return (await db.command({ distinct: name, key: step.path, query: step.filter })).values.sort(compare);
    case 'createIndex': {
      if (!index) return undefined;
      const { keys: key, ...spec } = index;
      await db.command({ createIndexes: name, indexes: [{ key, ...spec }] });
      return index?.name;
    }
    case 'dropIndex':
      await db.command({ dropIndexes: name, index: index?.name });
      return index?.name;
  }
}

function runOnModel(model: ReferenceModel, step: Step, newId: number, index: IndexSpec | undefined): unknown {
  switch (step.do) {
    case 'insert':
      model.insert({ _id: newId, ...plain(step.doc) });
      return newId;
    case 'update':
      return model.update(step.many ? step.filter : { ...step.filter, _id: step.id }, step.change, step.many);
    case 'delete':
      return model.remove(step.many ? step.filter : { ...step.filter, _id: step.id }, step.many);
    case 'find':
      return model.find(step.filter, step.sort, step.skip, step.limit);
    case 'distinct':
      return model.distinct(step.path, step.filter);
    case 'createIndex':
      if (index) model.createIndex(index);
      return index?.name;
    case 'dropIndex':
      if (index) model.dropIndex(index.name);
      return index?.name;
  }
}

/** Returns a description of the first findDifference between the server's and the model's results, or undefined. */
export async function findDifference(db: Db, name: string, steps: Step[]): Promise<string | undefined> {
  const model = new ReferenceModel();
  const created: IndexSpec[] = [];
  await db.command({ create: name });
  for (const [i, step] of steps.entries()) {
    let index: IndexSpec | undefined;
    if (step.do === 'createIndex') {
      index = {
        name: `i${i}`,
        keys: step.keys,
        unique: step.unique,
        sparse: step.sparse,
      };
      const same = (other: IndexSpec) => show(other.keys) === show(step.keys);
      if (created.some(same)) continue;
    }
    if (step.do === 'dropIndex') {
      index = created[step.which];
      if (!index) continue;
    }
    const expected = await codeOf(() => runOnModel(model, step, i + 1, index));
    const actual = await codeOf(() => runOnServer(db, name, step, i + 1, index));
    // Which of several invalid documents an update of many fails at is unspecified, so results may differ from here on.
    if (step.do === 'update' && step.many && expected.code !== 0 && actual.code !== 0) {
      await db.command({ drop: name });
      return undefined;
    }
    if (expected.code !== actual.code)
      return `step ${i} ${show(step)}: code ${actual.code}, not ${expected.code}`;
    if (show(expected.result) !== show(actual.result)) {
      return `step ${i} ${show(step)}:\n  returned ${show(actual.result)}\n  expected ${show(expected.result)}`;
    }
    if (step.do === 'createIndex' && index && expected.code === 0) created.push(index);
    if (step.do === 'dropIndex') created.splice(step.which, 1);
  }
  const all = (await db.command({ find: name, filter: {}, sort: { _id: 1 } })).cursor.firstBatch;
  await db.command({ drop: name });
  const remaining = model.find({}, { _id: 1 });
  return show(all) === show(remaining) ? undefined : `at the end ${show(all)}\n  expected ${show(remaining)}`;
}
