import { parsePipeline, aggregate as runPipeline } from '../aggregate.ts';
import { notSupported, ServerError } from '../errors.ts';
import { compileExpression } from '../expressions.ts';
import { keyOf, parseSort } from '../order.ts';
import { compileProjection, leavesOf } from '../projection.ts';
import { plan, select } from '../query.ts';
import { type Doc, isDoc, numberOf, own } from '../values.ts';
import { Args, type Command, collectionOf, namespaceOf } from './command.ts';

/** The values of `let`, which expressions may name. */
export function variablesOf(args: Args): Doc | undefined {
  const lets = args.document('let');
  if (!lets) return undefined;
  return Object.fromEntries(
    Object.entries(lets).map(([name, value]) => [name, compileExpression(value)({})]),
  );
}

const find: Command = {
  fields:
    'filter projection sort skip limit batchSize singleBatch hint let collation allowDiskUse noCursorTimeout allowPartialResults',
  run(context, args) {
    const filter = args.document('filter') ?? {};
    const sort = args.document('sort');
    const [skip, batchSize] = [args.count('skip'), args.count('batchSize')];
    // A negative limit is the old way to ask for a single batch; drivers turn it round themselves.
    const limit = args.count('limit');
    const variables = variablesOf(args);
    const spec = args.document('projection') ?? {};
    const project = Object.keys(spec).length > 0 ? compileProjection(spec, filter, variables) : undefined;
    const found = select(collectionOf(context, args), {
      filter,
      sort,
      skip,
      limit,
      hint: args.get('hint'),
      variables,
    });
    const docs = found.map(({ doc }) => (project ? project(doc) : doc));
    return context.cursors.first(namespaceOf(context, args), docs, batchSize, args.flag('singleBatch'));
  },
};

const getMore: Command = {
  fields: 'collection batchSize',
  run(context, args) {
    const id = numberOf(args.get('getMore'));
    if (id === undefined) throw new ServerError(14, 'getMore needs the number of a cursor');
    return context.cursors.next(id, `${context.db}.${args.string('collection')}`, args.count('batchSize'));
  },
};

const killCursors: Command = {
  fields: 'cursors',
  run(context, args) {
    const ids = args.list('cursors');
    const killed = ids.filter((id) => context.cursors.kill(numberOf(id) ?? 0));
    const cursorsNotFound = ids.filter((id) => !killed.includes(id));
    return { cursorsKilled: killed, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
  },
};

const aggregate: Command = {
  fields: 'pipeline cursor hint let collation allowDiskUse bypassDocumentValidation',
  run(context, args) {
    if (args.get('aggregate') === 1) throw notSupported('an aggregation on a database');
    const cursor = args.document('cursor');
    if (!cursor) throw new ServerError(9, "The 'cursor' option is required");
    const batchSize = new Args('cursor', cursor).count('batchSize');
    const steps = parsePipeline(args.get('pipeline'));
    const within = { engine: context.engine, db: context.db, variables: variablesOf(args) };
    const docs = runPipeline(collectionOf(context, args), steps, within, args.get('hint'));
    return context.cursors.first(namespaceOf(context, args), docs, batchSize);
  },
};

const count: Command = {
  fields: 'query limit skip hint collation fields',
  run(context, args) {
    const collection = collectionOf(context, args);
    const filter = args.document('query') ?? {};
    const limit = Math.abs(numberOf(args.get('limit')) ?? 0);
    const skip = args.count('skip') ?? 0;
    const all = collection && Object.keys(filter).length === 0 ? collection.stored.size : undefined;
    if (all !== undefined) return { n: Math.max(0, Math.min(limit || all, all - skip)) };
    return { n: select(collection, { filter, skip, limit, hint: args.get('hint') }).length };
  },
};

const distinct: Command = {
  fields: 'key query hint collation',
  run(context, args) {
    const key = args.string('key');
    const filter = args.document('query') ?? {};
    const values = new Map<string, unknown>();
    for (const { doc } of select(collectionOf(context, args), { filter, hint: args.get('hint') })) {
      for (const value of leavesOf(doc, key)) {
        const name = keyOf(value);
        if (!values.has(name)) values.set(name, value);
      }
    }
    return { values: [...values.values()] };
  },
};

/** Says which index a query would use. */
const explain: Command = {
  fields: 'verbosity',
  run(context, args) {
    const inner = args.document('explain') ?? {};
    const [name = ''] = Object.keys(inner);
    const [first] = [inner.updates, inner.deletes].flatMap((list) => (Array.isArray(list) ? list : []));
    const pipeline = Array.isArray(inner.pipeline) ? inner.pipeline : [];
    const stage = (at: number, key: string) => (isDoc(pipeline[at]) ? own(pipeline[at], key) : undefined);
    const filter =
      inner.filter ?? inner.query ?? (isDoc(first) ? first.q : undefined) ?? stage(0, '$match') ?? {};
    const sort = inner.sort ?? stage(0, '$sort') ?? stage(1, '$sort') ?? {};
    if (
      !/^(find|aggregate|count|distinct|update|delete|findAndModify)$/.test(name) ||
      !isDoc(filter) ||
      !isDoc(sort)
    ) {
      throw new ServerError(59, `Explain failed due to unknown command: ${name}`);
    }
    const within = new Args(name, inner);
    const collection = collectionOf(context, within);
    const chosen = collection && plan(collection, filter, parseSort(sort), within.get('hint'));
    const scan = chosen?.index && {
      stage: 'IXSCAN',
      indexName: chosen.index.name,
      keyPattern: chosen.index.spec.key,
    };
    const access = scan ? { stage: 'FETCH', inputStage: scan } : { stage: collection ? 'COLLSCAN' : 'EOF' };
    const winningPlan =
      !chosen || chosen.sorted ? access : { stage: 'SORT', sortPattern: sort, inputStage: access };
    const namespace = namespaceOf(context, within);
    return { queryPlanner: { namespace, parsedQuery: filter, winningPlan, rejectedPlans: [] } };
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
