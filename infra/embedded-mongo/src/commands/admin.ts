import { type Collection, namespacesOf } from '../engine.ts';
import { badValue, notSupported, ServerError } from '../errors.ts';
import { compileFilter } from '../matcher.ts';
import { equal } from '../order.ts';
import { type Doc, encode, isDoc } from '../values.ts';
import { type Args, type Command, type Context, collectionOf, namespaceOf } from './command.ts';

const VERSION = '7.0.0';

const hello: Command = {
  fields: 'helloOk client compression loadBalanced speculativeAuthenticate saslSupportedMechs backpressure',
  run: ({ connection }) => ({
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
};

const nothing: Command = { fields: '', run: () => ({}) };

const buildInfo: Command = {
  fields: '',
  run: () => ({
    version: VERSION,
    versionArray: [7, 0, 0, 0],
    modules: [],
    bits: 64,
    maxBsonObjectSize: 16777216,
  }),
};

const serverStatus: Command = {
  fields: '',
  run: ({ engine, cursors, started }) => ({
    version: VERSION,
    process: 'wayquest-embedded-mongo',
    pid: process.pid,
    uptime: Math.floor((Date.now() - started.getTime()) / 1000),
    localTime: new Date(),
    mem: { resident: Math.round(process.memoryUsage.rss() / 1024 / 1024) },
    metrics: { cursor: { open: { total: cursors.open } } },
    collections: engine.collections.size,
  }),
};

function needCollection(context: Context, args: Args): Collection {
  const found = collectionOf(context, args);
  if (found) return found;
  throw new ServerError(26, `ns does not exist: ${namespaceOf(context, args)}`);
}

const create: Command = {
  fields:
    'collation capped size max timeseries expireAfterSeconds viewOn pipeline validator validationLevel validationAction',
  writes: true,
  run(context, args) {
    const kind = ['capped', 'timeseries', 'viewOn', 'validator'].find((key) => args.get(key));
    if (kind) throw notSupported(`a collection with ${kind}`);
    if (collectionOf(context, args))
      throw new ServerError(48, `Collection ${namespaceOf(context, args)} already exists.`);
    context.engine.ensure(namespaceOf(context, args));
    return {};
  },
};

const drop: Command = {
  fields: '',
  writes: true,
  run(context, args) {
    const collection = collectionOf(context, args);
    if (!collection) return {};
    context.engine.drop(collection);
    return { nIndexesWas: collection.indexes.length, ns: collection.namespace };
  },
};

const dropDatabase: Command = {
  fields: '',
  writes: true,
  run({ engine, db }) {
    for (const collection of namespacesOf(engine, db)) engine.drop(collection);
    return { dropped: db };
  },
};

const listCollections: Command = {
  fields: 'filter nameOnly authorizedCollections cursor',
  run({ engine, cursors, db }, args) {
    const all = namespacesOf(engine, db).map(({ namespace }): Doc => {
      const brief = { name: namespace.slice(db.length + 1), type: 'collection' };
      const idIndex = { v: 2, key: { _id: 1 }, name: '_id_' };
      return args.flag('nameOnly') ? brief : { ...brief, options: {}, info: { readOnly: false }, idIndex };
    });
    const shown = all.filter(compileFilter(args.document('filter') ?? {}));
    return cursors.first(`${db}.$cmd.listCollections`, shown, Infinity);
  },
};

const listDatabases: Command = {
  fields: 'filter nameOnly authorizedDatabases',
  run({ engine }, args) {
    const sizeOf = (name: string) => {
      const docs = namespacesOf(engine, name).flatMap(({ stored }) => [...stored]);
      return docs.reduce((sum, { doc }) => sum + encode(doc).length, 0);
    };
    const names = new Set([...engine.collections.keys()].map((namespace) => namespace.split('.')[0] ?? ''));
    const all = [...names].map(
      (name): Doc => (args.flag('nameOnly') ? { name } : { name, sizeOnDisk: sizeOf(name), empty: false }),
    );
    return { databases: all.filter(compileFilter(args.document('filter') ?? {})) };
  },
};

const createIndexes: Command = {
  fields: 'indexes commitQuorum',
  writes: true,
  run(context, args) {
    const specs = args.documents('indexes');
    if (specs.length === 0) throw badValue('Must specify at least one index to create');
    const createdCollectionAutomatically = !collectionOf(context, args);
    const collection = context.engine.ensure(namespaceOf(context, args));
    const numIndexesBefore = collection.indexes.length;
    for (const spec of specs) context.engine.createIndex(collection, spec);
    return { numIndexesBefore, numIndexesAfter: collection.indexes.length, createdCollectionAutomatically };
  },
};

const listIndexes: Command = {
  fields: 'cursor',
  run(context, args) {
    const specs = needCollection(context, args).indexes.map(({ spec }) => spec);
    return context.cursors.first(namespaceOf(context, args), specs, Infinity);
  },
};

const dropIndexes: Command = {
  fields: 'index',
  writes: true,
  run(context, args) {
    const collection = needCollection(context, args);
    const wanted = args.get('index');
    const nIndexesWas = collection.indexes.length;
    const names =
      wanted === '*'
        ? collection.indexes.slice(1).map(({ name }) => name)
        : Array.isArray(wanted)
          ? wanted
          : [wanted];
    for (const name of names) {
      const found = collection.indexes.find((index) =>
        equal(name, isDoc(name) ? index.spec.key : index.name),
      );
      if (!found) throw new ServerError(27, `index not found with name [${String(name)}]`);
      if (found.name === '_id_') throw new ServerError(72, 'cannot drop _id index');
      context.engine.dropIndex(collection, found);
    }
    return { nIndexesWas };
  },
};

export const adminCommands: Record<string, Command> = {
  hello,
  isMaster: hello,
  ismaster: hello,
  ping: nothing,
  endSessions: nothing,
  buildInfo,
  buildinfo: buildInfo,
  serverStatus,
  create,
  drop,
  dropDatabase,
  listCollections,
  listDatabases,
  createIndexes,
  listIndexes,
  dropIndexes,
};
