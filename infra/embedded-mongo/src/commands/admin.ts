import { notSupported, ServerError } from '../errors.ts';
import type { Index } from '../indexes.ts';
import { compileFilter } from '../matcher.ts';
import { equal, keyOf } from '../order.ts';
import { type Doc, encode, isDoc } from '../values.ts';
import { Args, type Command, type Context, collectionOf, namespaceOf, needCollection } from './command.ts';

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
    host: 'localhost',
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

const create: Command = {
  fields:
    'capped timeseries viewOn validator validationLevel validationAction collation expireAfterSeconds clusteredIndex',
  writes: true,
  run(context, args) {
    const { capped, ...options } = args.doc;
    const unsupported = ['timeseries', 'viewOn', 'validator', 'expireAfterSeconds', 'clusteredIndex'];
    const option = capped ? 'capped' : unsupported.find((name) => Object.hasOwn(options, name));
    if (option) throw notSupported(`a collection with ${option}`);
    const namespace = namespaceOf(context, args);
    if (context.engine.collections.has(namespace)) {
      throw new ServerError(48, `Collection ${namespace} already exists.`);
    }
    context.engine.ensure(namespace);
    return {};
  },
};

const drop: Command = {
  fields: '',
  writes: true,
  run(context, args) {
    const collection = collectionOf(context, args);
    const ns = namespaceOf(context, args);
    if (!collection) return { ns };
    const nIndexesWas = collection.indexes.length;
    context.engine.drop(collection);
    return { nIndexesWas, ns };
  },
};

const within = ({ engine, db }: Context) =>
  [...engine.collections.values()].filter(({ namespace }) => namespace.startsWith(`${db}.`));

const dropDatabase: Command = {
  fields: '',
  writes: true,
  run(context) {
    for (const collection of within(context)) context.engine.drop(collection);
    return { dropped: context.db };
  },
};

const listCollections: Command = {
  fields: 'filter nameOnly authorizedCollections cursor',
  run(context, args) {
    const matches = compileFilter(args.document('filter') ?? {});
    const collections = within(context).map(({ namespace }): Doc => {
      const name = namespace.slice(context.db.length + 1);
      const idIndex = { v: 2, key: { _id: 1 }, name: '_id_' };
      return { name, type: 'collection', options: {}, info: { readOnly: false }, idIndex };
    });
    const shown = collections.filter(matches);
    const brief = args.flag('nameOnly') ? shown.map(({ name, type }) => ({ name, type })) : shown;
    return context.cursors.first(`${context.db}.$cmd.listCollections`, brief, Number.POSITIVE_INFINITY);
  },
};

const listDatabases: Command = {
  fields: 'filter nameOnly authorizedDatabases',
  run({ engine }, args) {
    const sizes = new Map<string, number>();
    const nameOnly = args.flag('nameOnly');
    for (const { namespace, stored } of engine.collections.values()) {
      const name = namespace.slice(0, namespace.indexOf('.'));
      let size = sizes.get(name) ?? 0;
      if (!nameOnly) for (const { doc } of stored) size += encode(doc).length;
      sizes.set(name, size);
    }
    const matches = compileFilter(args.document('filter') ?? {});
    const all = [...sizes].map(([name, sizeOnDisk]) => ({ name, sizeOnDisk, empty: false })).filter(matches);
    if (nameOnly) return { databases: all.map(({ name }) => ({ name })) };
    return { databases: all, totalSize: all.reduce((sum, { sizeOnDisk }) => sum + sizeOnDisk, 0) };
  },
};

const createIndexes: Command = {
  fields: 'indexes commitQuorum',
  writes: true,
  run(context, args) {
    const specs = args.documents('indexes');
    if (specs.length === 0) throw new ServerError(2, 'Must specify at least one index to create');
    const createdCollectionAutomatically = collectionOf(context, args) === undefined;
    const collection = context.engine.ensure(namespaceOf(context, args));
    const numIndexesBefore = collection.indexes.length;
    for (const spec of specs) context.engine.createIndex(collection, spec);
    const numIndexesAfter = collection.indexes.length;
    const note = numIndexesAfter === numIndexesBefore ? { note: 'all indexes already exist' } : {};
    return { numIndexesBefore, numIndexesAfter, createdCollectionAutomatically, ...note };
  },
};

const listIndexes: Command = {
  fields: 'cursor',
  run(context, args) {
    const specs = needCollection(context, args).indexes.map(({ spec, name }) => {
      const { unique, ...rest } = spec;
      return name === '_id_' ? rest : unique === undefined ? rest : spec;
    });
    const batchSize = new Args('cursor', args.document('cursor') ?? {}).count('batchSize');
    return context.cursors.first(namespaceOf(context, args), specs, batchSize ?? Number.POSITIVE_INFINITY);
  },
};

const dropIndexes: Command = {
  fields: 'index',
  writes: true,
  run(context, args) {
    const collection = needCollection(context, args);
    const wanted = args.get('index');
    const nIndexesWas = collection.indexes.length;
    const named = (index: Index, name: unknown) =>
      isDoc(name) ? keyOf(index.spec.key) === keyOf(name) : equal(index.name, name);
    const names = Array.isArray(wanted) ? wanted : [wanted];
    const gone =
      wanted === '*'
        ? collection.indexes.slice(1)
        : names.map((name) => {
            const found = collection.indexes.find((index) => named(index, name));
            if (!found) throw new ServerError(27, `index not found with name [${String(name)}]`);
            if (found.name === '_id_') throw new ServerError(72, 'cannot drop _id index');
            return found;
          });
    for (const index of gone) context.engine.dropIndex(collection, index);
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
