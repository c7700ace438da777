import { parsePipeline, aggregate as runPipeline } from '../aggregate.ts';
import { failedToParse, notSupported, ServerError, typeMismatch } from '../errors.ts';
import { compileExpression } from '../expressions.ts';
import { keyOf, parseSort } from '../order.ts';
import { visitPath } from '../paths.ts';
import { compileProjection } from '../projection.ts';
import { plan, select } from '../query.ts';
import { type Doc, isDoc, numberOf, own } from '../values.ts';
import { Args, type Command, collectionOf, fieldSet, namespaceOf } from './command.ts';

/** The values of `let`, which expressions may name. */
export function variablesOf(args: Args): Doc | undefined {
  const entries = Object.entries(args.document('let') ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, compileExpression(value)({})]));
}

/** What a projection makes of documents; without one they stay as they are. */
export function projectionOf(args: Args, key: string, variables: Doc | undefined): (doc: Doc) => Doc {
  const spec = args.document(key) ?? {};
  return Object.keys(spec).length > 0 ? compileProjection(spec, true, variables) : (doc) => doc;
}

const find: Command = {
  fields:
    'filter projection sort skip limit batchSize singleBatch hint let collation allowDiskUse noCursorTimeout allowPartialResults',
  run(context, args) {
    const [filter, sort, hint, variables] = [
      args.document('filter') ?? {},
      args.document('sort'),
      args.get('hint'),
      variablesOf(args),
    ];
    const project = projectionOf(args, 'projection', variables);
    const query = { filter, sort, hint, variables, skip: args.count('skip'), limit: args.count('limit') };
    const docs = select(collectionOf(context, args), query).map(({ doc }) => project(doc));
    return context.cursors.first(
      namespaceOf(context, args),
      docs,
      args.count('batchSize'),
      args.flag('singleBatch'),
    );
  },
};

const getMore: Command = {
  fields: 'collection batchSize',
  run({ cursors, db }, args) {
    const id = numberOf(args.get('getMore'));
    if (id === undefined) throw typeMismatch('getMore needs the number of a cursor');
    return cursors.next(id, `${db}.${args.string('collection')}`, args.count('batchSize'));
  },
};

const killCursors: Command = {
  fields: 'cursors',
  run({ cursors }, args) {
    const ids = args.list('cursors');
    const cursorsKilled = ids.filter((id) => cursors.kill(numberOf(id) ?? 0));
    const cursorsNotFound = ids.filter((id) => !cursorsKilled.includes(id));
    return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
  },
};

const aggregate: Command = {
  fields: 'pipeline cursor hint let collation allowDiskUse bypassDocumentValidation',
  run(context, args) {
    if (numberOf(args.get('aggregate')) === 1) throw notSupported('an aggregation on a database');
    const cursor = args.document('cursor');
    if (!cursor) throw failedToParse("The 'cursor' option is required");
    const batchSize = new Args('cursor', cursor, new Set(['batchSize'])).count('batchSize');
    const steps = parsePipeline(args.get('pipeline'));
    const docs = runPipeline(collectionOf(context, args), steps, variablesOf(args), args.get('hint'));
    return context.cursors.first(namespaceOf(context, args), docs, batchSize);
  },
};

const count: Command = {
  fields: 'query limit skip hint collation fields',
  run(context, args) {
    const collection = collectionOf(context, args);
    const [filter, limit, skip] = [args.document('query') ?? {}, args.count('limit'), args.count('skip')];
    if (collection && !limit && !skip && Object.keys(filter).length === 0)
      return { n: collection.stored.size };
    return { n: select(collection, { filter, skip, limit, hint: args.get('hint') }).length };
  },
};

const distinct: Command = {
  fields: 'key query hint collation',
  run(context, args) {
    const parts = args.string('key').split('.');
    const values = new Map<string, unknown>();
    const query = { filter: args.document('query') ?? {}, hint: args.get('hint') };
    for (const { doc } of select(collectionOf(context, args), query)) {
      visitPath(doc, parts, (value, exact) => {
        const found = Array.isArray(value) && !exact ? value : value === undefined ? [] : [value];
        for (const each of found) values.set(keyOf(each), values.get(keyOf(each)) ?? each);
        return false;
      });
    }
    return { values: [...values.values()] };
  },
};

const EXPLAINED = /^(find|aggregate|count|distinct|update|delete|findAndModify)$/;

/** Says which index a query would use. */
const explain: Command = {
  fields: 'verbosity',
  run(context, args) {
    const inner = args.document('explain') ?? {};
    const [name = ''] = Object.keys(inner);
    if (!EXPLAINED.test(name)) throw new ServerError(59, `Explain failed due to unknown command: ${name}`);
    const within = new Args(name, inner, fieldSet(Object.keys(inner).join(' ')));
    const [first, second] = [inner.updates, inner.deletes, inner.pipeline].flatMap((each) =>
      Array.isArray(each) ? each : [],
    );
    const of = (stage: unknown, key: string) => (isDoc(stage) ? own(stage, key) : undefined);
    const filter = inner.filter ?? inner.query ?? of(first, 'q') ?? of(first, '$match') ?? {};
    const sort = inner.sort ?? of(first, '$sort') ?? of(second, '$sort') ?? {};
    if (!isDoc(filter) || !isDoc(sort)) throw typeMismatch('the filter and the sort have to be objects');
    const collection = collectionOf(context, within);
    const chosen = collection && plan(collection, filter, parseSort(sort), within.get('hint'));
    const index = chosen?.index;
    const scan = { stage: collection ? 'COLLSCAN' : 'EOF' };
    const access = index
      ? { stage: 'FETCH', inputStage: { stage: 'IXSCAN', indexName: index.name, keyPattern: index.spec.key } }
      : scan;
    const sorts = Object.keys(sort).length > 0 && chosen?.sorted === false;
    const winningPlan = sorts ? { stage: 'SORT', sortPattern: sort, inputStage: access } : access;
    return {
      queryPlanner: {
        namespace: namespaceOf(context, within),
        parsedQuery: filter,
        winningPlan,
        rejectedPlans: [],
      },
    };
  },
};

export const readCommands: Record<string, Command> = {
  find,
  getMore,
  killCursors,
  aggregate,
  count,
  distinct,
  explain,
};
