import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type AnyBulkWriteOperation,
  BSON,
  type Collection,
  type Db,
  MongoClient,
  MongoServerError,
} from 'mongodb';

/** Folder of the public specifications; by default beside the repository. */
export const SPECS = resolve(
  process.env.MONGO_SPECS ?? join(import.meta.dirname, '../../../../shared/mongo-specs'),
  'crud',
);

/** Whether the public specifications are installed. */
export const hasSpecs = () => existsSync(SPECS);

type Doc = Record<string, unknown>;
/** The result of a test; `reason` is empty if it passed or is not applicable. */
export type Verdict = {
  test: string;
  verdict: 'passed' | 'rejected' | 'wrong' | 'not applicable';
  reason: string;
};

const isDoc = (value: unknown): value is Doc =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
const docs = (value: unknown): Doc[] => (Array.isArray(value) ? value.filter(isDoc) : []);
const doc = (value: unknown): Doc => (isDoc(value) ? value : {});
const text = (value: unknown) => (typeof value === 'string' ? value : '');
const extended = (value: unknown) => BSON.EJSON.stringify(value, { relaxed: true });

const SERVER = [7, 0, 0];

function compareVersion(version: string): number {
  const parts = version.split('.').map(Number);
  for (const [i, ours] of SERVER.entries()) {
    const theirs = parts[i] ?? 0;
    if (ours !== theirs) return ours - theirs;
  }
  return 0;
}

/** Whether one of the requirements is met by a standalone of MongoDB 7.0. */
function isApplicable(requirements: unknown): boolean {
  const all = docs(requirements);
  const isMet = ({ minServerVersion, maxServerVersion, topologies }: Doc) =>
    (typeof minServerVersion !== 'string' || compareVersion(minServerVersion) >= 0) &&
    (typeof maxServerVersion !== 'string' || compareVersion(maxServerVersion) <= 0) &&
    (!Array.isArray(topologies) || topologies.includes('single'));
  return all.length === 0 || all.some(isMet);
}

/** Compares as in the unified test format: only the root may have extra keys. Returns a description of the first mismatch. */
function mismatch(expected: unknown, actual: unknown, at: string, root = true): string | undefined {
  if (isDoc(expected)) {
    const [operator, operand] = Object.entries(expected)[0] ?? [];
    if (operator === '$$unsetOrMatches') {
      return actual === undefined || actual === null ? undefined : mismatch(operand, actual, at, root);
    }
    if (operator === '$$exists')
      return (actual !== undefined) === operand ? undefined : `${at}: exists is not ${operand}`;
    if (operator === '$$type') return actual === undefined ? `${at}: missing` : undefined;
    if (typeof actual !== 'object' || actual === null)
      return `${at}: ${extended(actual)} is not ${extended(expected)}`;
    const found: Doc = { ...actual };
    for (const key of Object.keys(expected)) {
      const wrong = mismatch(expected[key], found[key], `${at}.${key}`, false);
      if (wrong) return wrong;
    }
    const extra = root ? undefined : Object.keys(found).find((key) => !Object.hasOwn(expected, key));
    return extra === undefined ? undefined : `${at}: unexpected ${extra}`;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) {
      return `${at}: ${extended(actual)} is not ${extended(expected)}`;
    }
    for (const [i, item] of expected.entries()) {
      const wrong = mismatch(item, actual[i], `${at}.${i}`, root);
      if (wrong) return wrong;
    }
    return undefined;
  }
  return extended(expected) === extended(actual)
    ? undefined
    : `${at}: ${extended(actual)} is not ${extended(expected)}`;
}

const lowerFirst = (name: unknown) => (typeof name === 'string' ? name.toLowerCase() : name);

const hasNullId = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasNullId)
    : isDoc(value) && (value._id === null || Object.values(value).some(hasNullId));

const isOperation = (request: Doc): request is Doc & AnyBulkWriteOperation =>
  Object.keys(request).length === 1;

async function runOnCollection(collection: Collection, name: string, args: Doc): Promise<unknown> {
  const {
    filter: filterArgument,
    update,
    replacement,
    document,
    documents,
    pipeline,
    requests,
    fieldName,
    keys,
    ...options
  } = args;
  const filter = doc(filterArgument);
  if (options.returnDocument) options.returnDocument = lowerFirst(options.returnDocument);
  // Otherwise the driver would replace a null id with its own.
  if (hasNullId(args)) options.forceServerObjectId = true;
  const change = Array.isArray(update) ? docs(update) : doc(update);
  switch (name) {
    case 'find':
      return collection.find(filter, options).toArray();
    case 'findOne':
      return collection.findOne(filter, options);
    case 'insertOne':
      return collection.insertOne(doc(document), options);
    case 'insertMany':
      return collection.insertMany(docs(documents), options);
    case 'updateOne':
      return collection.updateOne(filter, change, options);
    case 'updateMany':
      return collection.updateMany(filter, change, options);
    case 'replaceOne':
      return collection.replaceOne(filter, doc(replacement), options);
    case 'deleteOne':
      return collection.deleteOne(filter, options);
    case 'deleteMany':
      return collection.deleteMany(filter, options);
    case 'findOneAndUpdate':
      return collection.findOneAndUpdate(filter, change, options);
    case 'findOneAndReplace':
      return collection.findOneAndReplace(filter, doc(replacement), options);
    case 'findOneAndDelete':
      return collection.findOneAndDelete(filter, options);
    case 'bulkWrite': {
      const result = await collection.bulkWrite(docs(requests).filter(isOperation), options);
      return bulkResult(result);
    }
    case 'aggregate':
      return collection.aggregate(docs(pipeline), options).toArray();
    case 'countDocuments':
      return collection.countDocuments(filter, options);
    case 'estimatedDocumentCount':
      return collection.estimatedDocumentCount(options);
    case 'count':
      return collection.count(filter, options);
    case 'distinct':
      return collection.distinct(text(fieldName), filter, options);
    case 'createIndex':
      return collection.createIndex(
        new Map(Object.entries(doc(keys)).map(([key, kind]) => [key, Number(kind) < 0 ? -1 : 1])),
        options,
      );
    default:
      throw new Error(`the operation ${name} is unknown to this runner`);
  }
}

function bulkResult(result: object): Doc {
  const names = [
    'deletedCount',
    'insertedCount',
    'matchedCount',
    'modifiedCount',
    'upsertedCount',
    'insertedIds',
    'upsertedIds',
  ];
  return Object.fromEntries(names.map((name) => [name, Reflect.get(result, name)]));
}

async function runOnDatabase(db: Db, name: string, args: Doc): Promise<unknown> {
  const { pipeline, collection, ...options } = args;
  if (name === 'aggregate') return db.aggregate(docs(pipeline), options).toArray();
  if (name === 'dropCollection') return db.dropCollection(text(collection));
  if (name === 'createCollection') return db.createCollection(text(collection), options);
  if (name === 'modifyCollection') return db.command({ collMod: text(collection), ...options });
  throw new Error(`the operation ${name} is unknown to this runner`);
}

class Wrong extends Error {}

function checkError(expected: Doc, error: unknown): void {
  if (!(error instanceof Error)) throw new Wrong('no error object');
  const found: Doc = { ...error };
  if (typeof expected.errorCode === 'number' && found.code !== expected.errorCode) {
    throw new Wrong(`error code ${found.code} is not ${expected.errorCode}: ${error.message}`);
  }
  if (
    typeof expected.errorContains === 'string' &&
    !error.message.toLowerCase().includes(expected.errorContains.toLowerCase())
  ) {
    throw new Wrong(`'${error.message}' does not contain '${expected.errorContains}'`);
  }
  if (expected.isClientError === true && error instanceof MongoServerError)
    throw new Wrong(`not a client error: ${error.message}`);
  if (expected.expectResult !== undefined) {
    const result = Reflect.get(error, 'result');
    const wrong =
      isDoc(expected.expectResult) && typeof result === 'object' && result !== null
        ? mismatch(expected.expectResult, bulkResult(result), 'error.result')
        : undefined;
    if (wrong) throw new Wrong(wrong);
  }
}

/** Returns the code and message of an error by which the server rejects an unsupported feature, or undefined. */
function rejectionOf(error: unknown): string | undefined {
  if (!(error instanceof MongoServerError)) return undefined;
  const rejection =
    error.code === 115 ||
    error.code === 59 ||
    error.code === 168 ||
    /not supported by this server/.test(error.message);
  return rejection ? `${error.code} ${error.message}` : undefined;
}

type Entities = {
  clients: Map<string, MongoClient>;
  databases: Map<string, Db>;
  collections: Map<string, Collection>;
};

async function runOperation(entities: Entities, operation: Doc): Promise<void> {
  const name = text(operation.name);
  const target = text(operation.object);
  const args = doc(operation.arguments);
  const collection = entities.collections.get(target);
  const db = entities.databases.get(target);
  let result: unknown;
  try {
    if (target === 'testRunner') {
      const client = entities.clients.get(text(args.client));
      await client?.db('admin').command(doc(args.failPoint));
    } else if (collection) result = await runOnCollection(collection, name, args);
    else if (db) result = await runOnDatabase(db, name, args);
    else throw new Error(`the operation ${target}.${name} is unknown to this runner`);
  } catch (error) {
    if (!isDoc(operation.expectError)) throw error;
    // The test expects an error, but perhaps not that of an unsupported feature.
    if (
      rejectionOf(error) &&
      operation.expectError.isClientError !== true &&
      operation.expectError.isError !== true
    )
      throw error;
    checkError(operation.expectError, error);
    return;
  }
  if (isDoc(operation.expectError))
    throw new Wrong(`${name} did not fail, though ${extended(operation.expectError)}`);
  if (operation.expectResult !== undefined) {
    const wrong = mismatch(operation.expectResult, result, name);
    if (wrong) throw new Wrong(wrong);
  }
}

async function runTest(url: string, file: Doc, test: Doc): Promise<void> {
  const entities: Entities = { clients: new Map(), databases: new Map(), collections: new Map() };
  const setup = await MongoClient.connect(url);
  try {
    for (const data of docs(file.initialData)) {
      const collection = setup.db(text(data.databaseName)).collection(text(data.collectionName));
      await collection.drop();
      if (docs(data.documents).length > 0) await collection.insertMany(docs(data.documents));
      else await setup.db(text(data.databaseName)).createCollection(text(data.collectionName));
    }
    for (const entity of docs(file.createEntities)) {
      const { id, uriOptions } = doc(entity.client);
      if (isDoc(entity.client))
        entities.clients.set(text(id), await MongoClient.connect(url, doc(uriOptions)));
      if (isDoc(entity.database)) {
        const { id, client, databaseName, databaseOptions } = entity.database;
        const db = entities.clients.get(text(client))?.db(text(databaseName), doc(databaseOptions));
        if (db) entities.databases.set(text(id), db);
      }
      if (isDoc(entity.collection)) {
        const { id, database, collectionName, collectionOptions } = entity.collection;
        const collection = entities.databases
          .get(text(database))
          ?.collection(text(collectionName), doc(collectionOptions));
        if (collection) entities.collections.set(text(id), collection);
      }
    }
    for (const operation of docs(test.operations)) await runOperation(entities, operation);
    for (const outcome of docs(test.outcome)) {
      const collection = setup.db(text(outcome.databaseName)).collection(text(outcome.collectionName));
      const found = await collection.find({}, { sort: { _id: 1 } }).toArray();
      const wrong = mismatch(outcome.documents, found, 'outcome', false);
      if (wrong) throw new Wrong(wrong);
    }
  } finally {
    for (const client of entities.clients.values()) await client.close();
    await setup.close();
  }
}

/**
 * Runs the public CRUD tests that are applicable to a standalone of MongoDB 7.0.
 *
 * @param url - the server's connection string
 */
export async function runCrudSpecs(url: string): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const name of readdirSync(SPECS)
    .filter((each) => each.endsWith('.json'))
    .sort()) {
    const file = doc(BSON.EJSON.parse(readFileSync(join(SPECS, name), 'utf8')));
    for (const test of docs(file.tests)) {
      const title = `${name}: ${text(test.description)}`;
      if (!isApplicable(file.runOnRequirements) || !isApplicable(test.runOnRequirements)) {
        verdicts.push({ test: title, verdict: 'not applicable', reason: '' });
        continue;
      }
      try {
        await runTest(url, file, test);
        verdicts.push({ test: title, verdict: 'passed', reason: '' });
      } catch (error) {
        const rejection = rejectionOf(error);
        const reason = rejection ?? (error instanceof Error ? error.message : String(error));
        verdicts.push({ test: title, verdict: rejection ? 'rejected' : 'wrong', reason });
      }
    }
  }
  return verdicts;
}
