import type { Engine } from '../engine.ts';
import { badValue, ServerError } from '../errors.ts';
import { compileFilter } from '../matcher.ts';
import { equal } from '../order.ts';
import { type Doc, isDoc } from '../values.ts';
import { type Command, collectionOf, existingOf, readCommand, writeCommand } from './command.ts';

const HELLO =
  'helloOk client compression loadBalanced speculativeAuthenticate saslSupportedMechs backpressure';

const hello = readCommand(HELLO, () => ({
  helloOk: true,
  isWritablePrimary: true,
  ismaster: true,
  maxBsonObjectSize: 16 * 1024 * 1024,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  logicalSessionTimeoutMinutes: 30,
  minWireVersion: 0,
  maxWireVersion: 21,
}));

/** The collections of a database. */
const collectionsIn = ({ collections }: Engine, db: string) =>
  [...collections.values()].filter(({ namespace }) => namespace.startsWith(`${db}.`));

export const adminCommands: Record<string, Command> = {
  hello,
  isMaster: hello,
  ismaster: hello,
  buildInfo: readCommand('', () => ({ version: '7.0.0', versionArray: [7, 0, 0, 0], modules: [], bits: 64 })),
  ping: readCommand('', () => ({})),
  endSessions: readCommand('', () => ({})),

  serverStatus: readCommand('', ({ engine }) => ({
    version: '7.0.0',
    uptime: Math.floor(process.uptime()),
    collections: engine.collections.size,
  })),

  create: writeCommand('', (context, args) => {
    const collection = collectionOf(context, args);
    if (collection.number > 0) throw new ServerError(48, `${collection.namespace} already exists.`);
    context.engine.create(collection);
    return {};
  }),

  drop: writeCommand('', (context, args) => {
    const collection = collectionOf(context, args);
    if (collection.number === 0) return {};
    context.engine.drop(collection);
    return { nIndexesWas: collection.indexes.length, ns: collection.namespace };
  }),

  dropDatabase: writeCommand('', ({ engine, db }) => {
    for (const collection of collectionsIn(engine, db)) engine.drop(collection);
    return { dropped: db };
  }),

  listCollections: readCommand(
    'filter nameOnly authorizedCollections cursor',
    ({ engine, cursors, db }, args) => {
      const all = collectionsIn(engine, db).map(({ namespace }) => {
        const name = namespace.slice(db.length + 1);
        return { name, type: 'collection', options: {}, info: { readOnly: false } };
      });
      return cursors.first(`${db}.$cmd.listCollections`, all.filter(compileFilter(args.document('filter'))));
    },
  ),

  /** Always returns only the names, also without `nameOnly`. */
  listDatabases: readCommand('nameOnly authorizedDatabases', ({ engine }) => {
    const names = new Set([...engine.collections.keys()].map((namespace) => namespace.split('.')[0] ?? ''));
    return { databases: [...names].map((name) => ({ name })) };
  }),

  createIndexes: writeCommand('indexes commitQuorum', (context, args) => {
    const specs = args.documents('indexes');
    if (specs.length === 0) throw badValue('Must specify at least one index to create');
    const collection = collectionOf(context, args);
    for (const spec of specs) context.engine.createIndex(collection, spec);
    return { numIndexesAfter: collection.indexes.length };
  }),

  listIndexes: readCommand('cursor', (context, args) => {
    const { namespace, specs } = existingOf(context, args);
    return context.cursors.first(namespace, specs);
  }),

  dropIndexes: writeCommand('index', (context, args) => {
    const collection = existingOf(context, args);
    const wanted = args.get('index');
    const nIndexesWas = collection.indexes.length;
    const isWanted = ({ name, spec }: { name: string; spec: Doc }) =>
      wanted === '*' ? name !== '_id_' : equal(wanted, isDoc(wanted) ? spec.key : name);
    const found = collection.indexes.filter(isWanted);
    if (found.length === 0 && wanted !== '*') throw new ServerError(27, `index not found: ${String(wanted)}`);
    if (found.some(({ name }) => name === '_id_')) throw new ServerError(72, 'cannot drop _id index');
    for (const index of found) context.engine.dropIndex(collection, index);
    return { nIndexesWas };
  }),
};
