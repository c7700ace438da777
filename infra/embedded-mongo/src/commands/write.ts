import { applyPipeline } from '../aggregate.ts';
import type { Collection } from '../engine.ts';
import { failedToParse, notSupported, ServerError } from '../errors.ts';
import type { Stored } from '../indexes.ts';
import { equal } from '../order.ts';
import { select } from '../query.ts';
import { applyUpdate, documentFrom, parseUpdate } from '../updater.ts';
import { type Doc, isDoc, numberOf, own } from '../values.ts';
import { Args, type Command, type Context, collectionOf, fieldSet, namespaceOf } from './command.ts';
import { projectionOf, variablesOf } from './read.ts';

const MAX_BATCH = 100_000;

/** Runs the statements of a batch, turning what fails into write errors. */
function runBatch(args: Args, statements: Doc[], run: (statement: Doc, index: number) => void): Doc {
  if (statements.length === 0 || statements.length > MAX_BATCH) {
    throw new ServerError(
      16,
      `Write batch sizes must be between 1 and ${MAX_BATCH}. Got ${statements.length} operations.`,
    );
  }
  const writeErrors: Doc[] = [];
  for (const [index, statement] of statements.entries()) {
    try {
      run(statement, index);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      writeErrors.push({ index, code: error.code, errmsg: error.message, ...error.extra });
      if (args.flag('ordered', true)) break;
    }
  }
  return writeErrors.length > 0 ? { writeErrors } : {};
}

const insert: Command = {
  fields: 'documents ordered bypassDocumentValidation',
  writes: true,
  run(context, args) {
    let n = 0;
    const errors = runBatch(args, args.documents('documents'), (doc) => {
      context.engine.insert(context.engine.ensure(namespaceOf(context, args)), doc);
      n++;
    });
    return { n, ...errors };
  },
};

/** How a document is changed: by operators, by a pipeline or, not for many at once, by being replaced. */
type Change = { many: boolean; apply(doc: Doc, inserting: boolean): Doc };

function parseChange(args: Args, filter: Doc, update: unknown, variables: Doc | undefined): Change {
  if (args.get('arrayFilters') !== undefined) throw notSupported('the option arrayFilters');
  if (Array.isArray(update)) {
    return {
      many: true,
      apply: (doc) => withIdOf(doc, keepTypes(doc, applyPipeline(doc, update, variables))),
    };
  }
  if (!isDoc(update)) throw failedToParse('Update argument must be either an object or an array');
  if (Object.keys(update)[0]?.startsWith('$')) {
    const parsed = parseUpdate(update);
    return { many: true, apply: (doc, inserting) => applyUpdate(doc, parsed, filter, inserting) };
  }
  const operator = Object.keys(update).find((key) => key.startsWith('$'));
  if (operator)
    throw new ServerError(52, `The dollar ($) prefixed field '${operator}' is not allowed in a replacement`);
  return { many: false, apply: (doc) => withIdOf(doc, update) };
}

const withIdOf = (before: Doc, after: Doc): Doc =>
  Object.hasOwn(before, '_id') && !Object.hasOwn(after, '_id') ? { _id: before._id, ...after } : after;

/** Expressions reckon with plain numbers: what they left equal keeps the type it had. */
function keepTypes(before: Doc, after: Doc): Doc {
  const entries = Object.entries(after).map(([key, value]) => {
    const old = own(before, key);
    if (old !== undefined && equal(old, value)) return [key, old];
    return [key, isDoc(old) && isDoc(value) ? keepTypes(old, value) : value];
  });
  return Object.fromEntries(entries);
}

function checkSameId(before: Doc, after: Doc): void {
  if (!Object.hasOwn(before, '_id') || equal(before._id, own(after, '_id'))) return;
  throw new ServerError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
}

/** Changes one stored document; false when it already is what it should be. */
function changeOne({ engine }: Context, collection: Collection, stored: Stored, change: Change): boolean {
  const doc = change.apply(stored.doc, false);
  checkSameId(stored.doc, doc);
  return engine.replace(collection, stored, doc);
}

function upsert(context: Context, args: Args, filter: Doc, change: Change): Doc {
  const base = documentFrom(filter);
  const doc = change.apply(base, true);
  checkSameId(base, doc);
  return context.engine.insert(context.engine.ensure(namespaceOf(context, args)), doc);
}

const UPDATE_FIELDS = fieldSet('q u c multi upsert arrayFilters hint collation');

const update: Command = {
  fields: 'updates ordered let bypassDocumentValidation',
  writes: true,
  run(context, args) {
    const variables = variablesOf(args);
    const upserted: Doc[] = [];
    let [n, nModified] = [0, 0];
    const errors = runBatch(args, args.documents('updates'), (statement, index) => {
      const within = new Args('update.updates', statement, UPDATE_FIELDS);
      const filter = within.document('q') ?? {};
      const multi = within.flag('multi');
      const change = parseChange(within, filter, within.get('u'), { ...variables, ...within.document('c') });
      if (multi && !change.many)
        throw failedToParse('multi update is not supported for replacement-style update');
      const collection = collectionOf(context, args);
      const found = select(collection, { filter, limit: multi ? 0 : 1, hint: within.get('hint'), variables });
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
      const within = new Args('delete.deletes', statement, DELETE_FIELDS);
      const limit = numberOf(within.get('limit'));
      if (limit !== 0 && limit !== 1) throw failedToParse('The limit field in delete objects must be 0 or 1');
      const collection = collectionOf(context, args);
      const filter = within.document('q') ?? {};
      for (const stored of select(collection, { filter, limit, hint: within.get('hint'), variables })) {
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
    const [filter, variables, wantsNew] = [args.document('query') ?? {}, variablesOf(args), args.flag('new')];
    const project = projectionOf(args, 'fields', variables);
    const [removes, update, upserts] = [args.flag('remove'), args.get('update'), args.flag('upsert')];
    if (removes ? update !== undefined || upserts || wantsNew : update === undefined) {
      throw failedToParse(
        "Either an update or remove=true must be specified, and 'upsert' and 'new' only with an update",
      );
    }
    const change = removes ? undefined : parseChange(args, filter, update, variables);
    const collection = collectionOf(context, args);
    const [stored] = select(collection, {
      filter,
      sort: args.document('sort'),
      limit: 1,
      hint: args.get('hint'),
      variables,
    });
    if (stored && collection) {
      const before = stored.doc;
      if (change) changeOne(context, collection, stored, change);
      else context.engine.remove(collection, stored);
      const lastErrorObject = change ? { n: 1, updatedExisting: true } : { n: 1 };
      return { lastErrorObject, value: project(wantsNew ? stored.doc : before) };
    }
    if (!change || !upserts)
      return { lastErrorObject: change ? { n: 0, updatedExisting: false } : { n: 0 }, value: null };
    const doc = upsert(context, args, filter, change);
    return {
      lastErrorObject: { n: 1, updatedExisting: false, upserted: doc._id },
      value: wantsNew ? project(doc) : null,
    };
  },
};

export const writeCommands: Record<string, Command> = { insert, update, delete: remove, findAndModify };
