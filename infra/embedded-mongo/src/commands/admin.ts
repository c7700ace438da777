import type { Collection, Engine } from '../engine.ts';
import { badValue, ServerError } from '../errors.ts';
import { compileFilter } from '../matcher.ts';
import { equal } from '../order.ts';
import { type Doc, encode, isDoc } from '../values.ts';
import {
  type Args,
  type Command,
  type Context,
  collectionOf,
  namespaceOf,
  reads,
  writes,
} from './command.ts';

const VERSION = '7.0.0';

const hello = reads(
  'helloOk client compression loadBalanced speculativeAuthenticate saslSupportedMechs backpressure',
  ({ connection }) => ({
    helloOk: true,
    isWritablePrimary: true,
    ismaster: true,
    maxBsonObjectSize: 16 * 1024 * 1024,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId: connection,
    minWireVersion: 0,
    maxWireVersion: 21,
    readOnly: false,
  }),
);

const buildInfo = reads('', () => ({ version: VERSION, versionArray: [7, 0, 0, 0], modules: [], bits: 64 }));

/** The collections of a database. */
const collectionsIn = ({ collections }: Engine, db: string) =>
  [...collections.values()].filter(({ namespace }) => namespace.startsWith(`${db}.`));

function needCollection(context: Context, args: Args): Collection {
  const found = collectionOf(context, args);
  if (found.number > 0) return found;
  throw new ServerError(26, `ns does not exist: ${namespaceOf(context, args)}`);
}

export const adminCommands: Record<string, Command> = {
  hello,
  isMaster: hello,
  ismaster: hello,
  buildInfo,
  buildinfo: buildInfo,
  ping: reads('', () => ({})),
  endSessions: reads('', () => ({})),

  serverStatus: reads('', ({ engine, started }) => ({
    version: VERSION,
    process: 'wayquest-embedded-mongo',
    pid: process.pid,
    uptime: Math.floor((Date.now() - started.getTime()) / 1000),
    localTime: new Date(),
    mem: { resident: Math.round(process.memoryUsage.rss() / 1024 / 1024) },
    collections: engine.collections.size,
  })),

  create: writes('', (context, args) => {
    const collection = collectionOf(context, args);
    if (collection.number > 0) throw new ServerError(48, `${collection.namespace} already exists.`);
    context.engine.create(collection);
    return {};
  }),

  drop: writes('', (context, args) => {
    const collection = collectionOf(context, args);
    if (collection.number === 0) return {};
    context.engine.drop(collection);
    return { nIndexesWas: collection.indexes.length, ns: collection.namespace };
  }),

  dropDatabase: writes('', ({ engine, db }) => {
    for (const collection of collectionsIn(engine, db)) engine.drop(collection);
    return { dropped: db };
  }),

  listCollections: reads('filter nameOnly authorizedCollections cursor', ({ engine, cursors, db }, args) => {
    const idIndex = { v: 2, key: { _id: 1 }, name: '_id_' };
    const all = collectionsIn(engine, db).map(({ namespace }): Doc => {
      const brief = { name: namespace.slice(db.length + 1), type: 'collection' };
      return args.flag('nameOnly') ? brief : { ...brief, options: {}, info: { readOnly: false }, idIndex };
    });
    const shown = all.filter(compileFilter(args.document('filter')));
    return cursors.first(`${db}.$cmd.listCollections`, shown, Infinity);
  }),

  listDatabases: reads('nameOnly authorizedDatabases', ({ engine }, args) => {
    const names = new Set([...engine.collections.keys()].map((namespace) => namespace.split('.')[0] ?? ''));
    const describe = (name: string) => {
      const docs = collectionsIn(engine, name).flatMap(({ stored }) => [...stored]);
      const sizeOnDisk = docs.reduce((sum, { doc }) => sum + encode(doc).length, 0);
      return { name, sizeOnDisk, empty: false };
    };
    return { databases: [...names].map((name) => (args.flag('nameOnly') ? { name } : describe(name))) };
  }),

  createIndexes: writes('indexes commitQuorum', (context, args) => {
    const specs = args.documents('indexes');
    if (specs.length === 0) throw badValue('Must specify at least one index to create');
    const collection = collectionOf(context, args);
    const createdCollectionAutomatically = collection.number === 0;
    const numIndexesBefore = collection.indexes.length;
    for (const spec of specs) context.engine.createIndex(collection, spec);
    return { numIndexesBefore, numIndexesAfter: collection.indexes.length, createdCollectionAutomatically };
  }),

  listIndexes: reads('cursor', (context, args) => {
    const specs = needCollection(context, args).indexes.map(({ spec }) => spec);
    return context.cursors.first(namespaceOf(context, args), specs, Infinity);
  }),

  dropIndexes: writes('index', (context, args) => {
    const collection = needCollection(context, args);
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
