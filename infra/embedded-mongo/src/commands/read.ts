import { aggregate } from '../aggregate.ts';
import { failedToParse, notSupported } from '../errors.ts';
import { keyOf } from '../order.ts';
import { compileProjection, visitPath } from '../paths.ts';
import { plan, type Query, select } from '../query.ts';
import { type Doc, numberOf } from '../values.ts';
import { Args, type Command, collectionOf, namespaceOf, readCommand } from './command.ts';

const FIND = 'filter projection sort skip limit batchSize singleBatch hint allowDiskUse';

const queryOf = (args: Args, filter: string): Query => ({
  filter: args.document(filter),
  sort: args.document('sort'),
  hint: args.get('hint'),
  skip: args.count('skip') ?? 0,
  limit: args.count('limit') ?? 0,
});

/** Compiles a projection; without one documents are unchanged. */
export function projectionOf(args: Args, key: string): (doc: Doc) => Doc {
  const spec = args.document(key);
  return Object.keys(spec).length > 0 ? compileProjection(spec) : (doc) => doc;
}

export const readCommands: Record<string, Command> = {
  find: readCommand(FIND, (context, args) => {
    const project = projectionOf(args, 'projection');
    const docs = select(collectionOf(context, args), queryOf(args, 'filter')).map(({ doc }) => project(doc));
    const [batchSize, single] = [args.count('batchSize'), args.flag('singleBatch')];
    return context.cursors.first(namespaceOf(context, args), docs, batchSize, single);
  }),

  getMore: readCommand('collection batchSize', ({ cursors, db }, args) => {
    const id = numberOf(args.get('getMore')) ?? 0;
    return cursors.next(id, `${db}.${args.string('collection')}`, args.count('batchSize'));
  }),

  killCursors: readCommand('cursors', ({ cursors }, args) => {
    const ids = args.list('cursors');
    const cursorsKilled = ids.filter((id) => cursors.open.delete(numberOf(id) ?? 0));
    const cursorsNotFound = ids.filter((id) => !cursorsKilled.includes(id));
    return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
  }),

  aggregate: readCommand('pipeline cursor hint allowDiskUse bypassDocumentValidation', (context, args) => {
    if (args.get('aggregate') === 1) throw notSupported('an aggregation on a database');
    if (args.get('cursor') === undefined) throw failedToParse("The 'cursor' option is required");
    const batchSize = new Args('cursor', args.document('cursor'), 'batchSize').count('batchSize');
    const docs = aggregate(collectionOf(context, args), args.list('pipeline'), args.get('hint'));
    return context.cursors.first(namespaceOf(context, args), docs, batchSize);
  }),

  count: readCommand('query limit skip hint fields', (context, args) => {
    return { n: select(collectionOf(context, args), queryOf(args, 'query')).length };
  }),

  distinct: readCommand('key query hint', (context, args) => {
    const parts = args.string('key').split('.');
    const values = new Map<string, unknown>();
    for (const { doc } of select(collectionOf(context, args), queryOf(args, 'query'))) {
      visitPath(doc, parts, (value, exact) => {
        const found = Array.isArray(value) && !exact ? value : value === undefined ? [] : [value];
        for (const each of found) values.set(keyOf(each), values.get(keyOf(each)) ?? each);
        return false;
      });
    }
    return { values: [...values.values()] };
  }),

  /** Returns which index a query would use. */
  explain: readCommand('verbosity', (context, args) => {
    const inner = args.document('explain');
    if (Object.keys(inner)[0] !== 'find') throw notSupported('an explanation of anything but find');
    const within = new Args('find', inner, FIND);
    const collection = collectionOf(context, within);
    const { index, sort } = plan(collection, queryOf(within, 'filter'));
    const scan = index && { stage: 'IXSCAN', indexName: index.name, keyPattern: index.spec.key };
    const access = scan ? { stage: 'FETCH', inputStage: scan } : { stage: 'COLLSCAN' };
    const winningPlan = sort.length > 0 ? { stage: 'SORT', inputStage: access } : access;
    return { queryPlanner: { namespace: collection.namespace, winningPlan } };
  }),
};
