import type { Collection } from '../engine.ts';
import { failedToParse, notSupported, ServerError } from '../errors.ts';
import type { Stored } from '../indexes.ts';
import { equal } from '../order.ts';
import { select } from '../query.ts';
import { applyUpdate, documentFrom, parseUpdate } from '../updater.ts';
import { type Doc, isDoc, numberOf, own } from '../values.ts';
import { Args, type Command, type Context, collectionOf, namespaceOf, writes } from './command.ts';
import { projectionOf } from './read.ts';

const MAX_BATCH = 100_000;

/** Runs the statements of a batch, turning what fails into write errors. */
function runBatch(args: Args, key: string, run: (statement: Doc, index: number) => void): Doc {
  const statements = args.documents(key);
  if (statements.length === 0 || statements.length > MAX_BATCH)
    throw new ServerError(16, `Write batch sizes must be between 1 and ${MAX_BATCH}`);
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

/** How a document is changed: by operators or, not for many at once, by being replaced. */
type Change = { many: boolean; apply(doc: Doc, inserting: boolean): Doc };

function parseChange(update: unknown): Change {
  if (Array.isArray(update)) throw notSupported('an update by a pipeline');
  if (!isDoc(update)) throw failedToParse('Update argument must be either an object or an array');
  const names = Object.keys(update);
  if (names[0]?.startsWith('$')) {
    const steps = parseUpdate(update);
    return { many: true, apply: (doc, inserting) => applyUpdate(doc, steps, inserting) };
  }
  const operator = names.find((name) => name.startsWith('$'));
  if (operator)
    throw new ServerError(52, `The dollar ($) prefixed field '${operator}' is not allowed in a replacement`);
  const keepsId = (doc: Doc) => Object.hasOwn(doc, '_id') && !Object.hasOwn(update, '_id');
  return { many: false, apply: (doc) => (keepsId(doc) ? { _id: doc._id, ...update } : update) };
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

function upsert({ engine }: Context, namespace: string, filter: Doc, change: Change): Doc {
  const base = documentFrom(filter);
  const doc = change.apply(base, true);
  checkSameId(base, doc);
  return engine.insert(engine.ensure(namespace), doc);
}

export const writeCommands: Record<string, Command> = {
  insert: writes('documents ordered bypassDocumentValidation', (context, args) => {
    let n = 0;
    const errors = runBatch(args, 'documents', (doc) => {
      context.engine.insert(context.engine.ensure(namespaceOf(context, args)), doc);
      n++;
    });
    return { n, ...errors };
  }),

  update: writes('updates ordered bypassDocumentValidation', (context, args) => {
    const upserted: Doc[] = [];
    let [n, nModified] = [0, 0];
    const errors = runBatch(args, 'updates', (statement, index) => {
      const within = new Args('update.updates', statement, 'q u multi upsert hint');
      const [filter, multi, change] = [
        within.document('q'),
        within.flag('multi'),
        parseChange(within.get('u')),
      ];
      if (multi && !change.many)
        throw failedToParse('multi update is not supported for replacement-style update');
      const collection = collectionOf(context, args);
      const found = select(collection, { filter, limit: multi ? 0 : 1, hint: within.get('hint') });
      if (found.length === 0 && within.flag('upsert')) {
        upserted.push({ index, _id: upsert(context, namespaceOf(context, args), filter, change)._id });
        n++;
      }
      for (const stored of found) {
        if (collection && changeOne(context, collection, stored, change)) nModified++;
        n++;
      }
    });
    return { n, nModified, ...(upserted.length > 0 ? { upserted } : {}), ...errors };
  }),

  delete: writes('deletes ordered', (context, args) => {
    let n = 0;
    const errors = runBatch(args, 'deletes', (statement) => {
      const within = new Args('delete.deletes', statement, 'q limit hint');
      const limit = numberOf(within.get('limit'));
      if (limit !== 0 && limit !== 1) throw failedToParse('The limit field in delete objects must be 0 or 1');
      const collection = collectionOf(context, args);
      for (const stored of select(collection, {
        filter: within.document('q'),
        limit,
        hint: within.get('hint'),
      })) {
        if (collection) context.engine.remove(collection, stored);
        n++;
      }
    });
    return { n, ...errors };
  }),

  findAndModify: writes(
    'query sort remove update new fields upsert hint bypassDocumentValidation',
    (context, args) => {
      const [filter, sort, hint] = [args.document('query'), args.document('sort'), args.get('hint')];
      const [removes, upserts, wantsNew] = [args.flag('remove'), args.flag('upsert'), args.flag('new')];
      const project = projectionOf(args, 'fields');
      const update = args.get('update');
      if (removes ? update !== undefined || upserts || wantsNew : update === undefined)
        throw failedToParse(
          "Either an update or remove=true must be specified, and 'upsert' and 'new' only with an update",
        );
      const change = removes ? undefined : parseChange(update);
      const collection = collectionOf(context, args);
      const [stored] = select(collection, { filter, sort, hint, limit: 1 });
      if (stored && collection) {
        const before = stored.doc;
        if (change) changeOne(context, collection, stored, change);
        else context.engine.remove(collection, stored);
        const lastErrorObject = change ? { n: 1, updatedExisting: true } : { n: 1 };
        return { lastErrorObject, value: project(wantsNew ? stored.doc : before) };
      }
      if (!change) return { lastErrorObject: { n: 0 }, value: null };
      if (!upserts) return { lastErrorObject: { n: 0, updatedExisting: false }, value: null };
      const doc = upsert(context, namespaceOf(context, args), filter, change);
      const lastErrorObject = { n: 1, updatedExisting: false, upserted: doc._id };
      return { lastErrorObject, value: wantsNew ? project(doc) : null };
    },
  ),
};
