import { ObjectId } from 'bson';
import { applyPipeline } from '../aggregate.ts';
import type { Collection } from '../engine.ts';
import { failedToParse, ServerError } from '../errors.ts';
import type { Stored } from '../indexes.ts';
import { equal } from '../order.ts';
import { compileProjection } from '../projection.ts';
import { select } from '../query.ts';
import { applyUpdate, checkFiltersUsed, documentFrom, parseArrayFilters, parseUpdate } from '../updater.ts';
import { type Doc, isDoc, numberOf, own, typeName } from '../values.ts';
import {
  Args,
  type Command,
  type Context,
  checkFields,
  collectionOf,
  fieldSet,
  namespaceOf,
} from './command.ts';
import { variablesOf } from './read.ts';

const MAX_BATCH = 100_000;

/** Runs the statements of a batch, turning what fails into write errors. */
function runBatch(args: Args, statements: Doc[], run: (statement: Doc, index: number) => void): Doc {
  if (statements.length === 0 || statements.length > MAX_BATCH) {
    throw new ServerError(
      16,
      `Write batch sizes must be between 1 and ${MAX_BATCH}. Got ${statements.length} operations.`,
    );
  }
  const ordered = args.flag('ordered', true);
  const writeErrors: Doc[] = [];
  for (const [index, statement] of statements.entries()) {
    try {
      run(statement, index);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      writeErrors.push({ index, code: error.code, errmsg: error.message, ...error.extra });
      if (ordered) break;
    }
  }
  return writeErrors.length > 0 ? { writeErrors } : {};
}

/** What may be stored: an `_id` of a kind that can identify, and no operators among the names. */
export function checkStorable(doc: Doc): void {
  for (const key of Object.keys(doc)) {
    if (key.startsWith('$')) {
      throw new ServerError(
        52,
        `The dollar ($) prefixed field '${key}' in '${key}' is not allowed in the context of an insert`,
      );
    }
  }
  const id = own(doc, '_id');
  const type = typeName(id);
  if (id !== undefined && (type === 'array' || type === 'regex')) {
    throw new ServerError(53, `The '_id' value cannot be of type ${type}`);
  }
  if (isDoc(id) && Object.keys(id).some((key) => key.startsWith('$'))) {
    throw new ServerError(52, '_id fields may not contain $-prefixed fields');
  }
}

const insert: Command = {
  fields: 'documents ordered bypassDocumentValidation',
  writes: true,
  run(context, args) {
    const collection = () => context.engine.ensure(namespaceOf(context, args));
    let n = 0;
    const errors = runBatch(args, args.documents('documents'), (doc) => {
      checkStorable(doc);
      context.engine.insert(collection(), doc);
      n++;
    });
    return { n, ...errors };
  },
};

/** How a document is changed: by operators, by a pipeline or by being replaced. */
type Change = { many: boolean; apply(doc: Doc, inserting: boolean): Doc };

function parseChange(
  context: Context,
  args: Args,
  filter: Doc,
  update: unknown,
  variables: Doc | undefined,
): Change {
  const filters = parseArrayFilters(args.get('arrayFilters'));
  if (Array.isArray(update)) {
    if (filters.size > 0) throw failedToParse('arrayFilters may not be specified for pipeline-style updates');
    const within = { engine: context.engine, db: context.db, variables };
    return { many: true, apply: (doc) => keepTypes(doc, applyPipeline(doc, update, within)) };
  }
  if (!isDoc(update)) throw failedToParse('Update argument must be either an object or an array');
  if (Object.keys(update)[0]?.startsWith('$')) {
    const parsed = parseUpdate(update);
    checkFiltersUsed(parsed, filters);
    return {
      many: true,
      apply: (doc, inserting) => applyUpdate(doc, parsed, { filter, filters }, inserting),
    };
  }
  const operator = Object.keys(update).find((key) => key.startsWith('$'));
  if (operator)
    throw new ServerError(52, `The dollar ($) prefixed field '${operator}' is not allowed in a replacement`);
  if (filters.size > 0)
    throw failedToParse('arrayFilters may not be specified for replacement-style updates');
  return {
    many: false,
    apply: (doc) => (Object.hasOwn(doc, '_id') ? { _id: doc._id, ...update } : { ...update }),
  };
}

/** Expressions reckon with plain numbers: what they left equal keeps the type it had. */
function keepTypes(before: Doc, after: Doc): Doc {
  return Object.fromEntries(
    Object.entries(after).map(([key, value]) => {
      const old = own(before, key);
      if (old !== undefined && equal(old, value)) return [key, old];
      return [key, isDoc(old) && isDoc(value) ? keepTypes(old, value) : value];
    }),
  );
}

/** Changes one stored document; false when it already is what it should be. */
function changeOne(context: Context, collection: Collection, stored: Stored, change: Change): boolean {
  const doc = change.apply(stored.doc, false);
  if (!equal(own(doc, '_id'), stored.doc._id)) {
    throw new ServerError(
      66,
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    );
  }
  return context.engine.replace(collection, stored, doc);
}

function upsert(context: Context, args: Args, filter: Doc, change: Change): Doc {
  const base = documentFrom(filter);
  const made = change.apply(base, true);
  const { _id, ...rest } = made;
  const id = _id === undefined ? new ObjectId() : _id;
  if (Object.hasOwn(base, '_id') && !equal(base._id, id)) {
    throw new ServerError(
      66,
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    );
  }
  const doc = { _id: id, ...rest };
  checkStorable(doc);
  return context.engine.insert(context.engine.ensure(namespaceOf(context, args)), doc);
}

const UPDATE_FIELDS = fieldSet('q u c multi upsert arrayFilters hint collation sort');

const update: Command = {
  fields: 'updates ordered let bypassDocumentValidation',
  writes: true,
  run(context, args) {
    const variables = variablesOf(args);
    const upserted: Doc[] = [];
    let n = 0;
    let nModified = 0;
    const errors = runBatch(args, args.documents('updates'), (statement, index) => {
      checkFields('update.updates', statement, UPDATE_FIELDS);
      const within = new Args('update.updates', statement);
      const filter = within.document('q') ?? {};
      const sort = within.document('sort');
      const multi = within.flag('multi');
      const constants = within.document('c');
      const change = parseChange(context, within, filter, within.get('u'), { ...variables, ...constants });
      if (multi && !change.many)
        throw failedToParse('multi update is not supported for replacement-style update');
      if (multi && sort) throw failedToParse('Cannot specify sort with multi=true');
      const collection = collectionOf(context, args);
      const query = { filter, sort, limit: multi ? 0 : 1, hint: within.get('hint'), variables };
      const found = select(collection, query);
      if (found.length === 0 && within.flag('upsert')) {
        upserted.push({ index, _id: upsert(context, args, filter, change)._id });
        n++;
      }
      for (const stored of found) {
        if (collection && changeOne(context, collection, stored, change)) nModified++;
        n++;
      }
    });
    return { n, nModified, ...(upserted.length > 0 ? { upserted } : {}), ...errors };
  },
};

const DELETE_FIELDS = fieldSet('q limit hint collation');

const remove: Command = {
  fields: 'deletes ordered let',
  writes: true,
  run(context, args) {
    const variables = variablesOf(args);
    let n = 0;
    const errors = runBatch(args, args.documents('deletes'), (statement) => {
      checkFields('delete.deletes', statement, DELETE_FIELDS);
      const within = new Args('delete.deletes', statement);
      const limit = numberOf(within.get('limit'));
      if (limit !== 0 && limit !== 1) throw failedToParse('The limit field in delete objects must be 0 or 1');
      const collection = collectionOf(context, args);
      const query = { filter: within.document('q') ?? {}, limit, hint: within.get('hint'), variables };
      for (const stored of select(collection, query)) {
        if (collection) context.engine.remove(collection, stored);
        n++;
      }
    });
    return { n, ...errors };
  },
};

const findAndModify: Command = {
  fields:
    'query sort remove update new fields upsert arrayFilters hint let collation bypassDocumentValidation',
  writes: true,
  run(context, args) {
    const filter = args.document('query') ?? {};
    const variables = variablesOf(args);
    const fields = args.document('fields') ?? {};
    const project =
      Object.keys(fields).length > 0 ? compileProjection(fields, filter, variables) : (doc: Doc) => doc;
    const removes = args.flag('remove');
    const change = removes ? undefined : parseChange(context, args, filter, args.get('update'), variables);
    if (removes && (args.get('update') !== undefined || args.flag('upsert') || args.flag('new'))) {
      throw failedToParse("Cannot specify both an update, an upsert or 'new' and remove=true");
    }
    if (!removes && args.get('update') === undefined)
      throw failedToParse('Either an update or remove=true must be specified');
    const collection = collectionOf(context, args);
    const query = { filter, sort: args.document('sort'), limit: 1, hint: args.get('hint'), variables };
    const [stored] = select(collection, query);
    if (stored && collection) {
      const before = stored.doc;
      if (change) changeOne(context, collection, stored, change);
      else context.engine.remove(collection, stored);
      const value = project(args.flag('new') ? stored.doc : before);
      return { lastErrorObject: change ? { n: 1, updatedExisting: true } : { n: 1 }, value };
    }
    if (!change || !args.flag('upsert')) {
      return { lastErrorObject: change ? { n: 0, updatedExisting: false } : { n: 0 }, value: null };
    }
    const doc = upsert(context, args, filter, change);
    const lastErrorObject = { n: 1, updatedExisting: false, upserted: doc._id };
    return { lastErrorObject, value: args.flag('new') ? project(doc) : null };
  },
};

export const writeCommands: Record<string, Command> = { insert, update, delete: remove, findAndModify };
