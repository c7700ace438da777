import { failedToParse, notSupported, ServerError } from '../errors.ts';
import { isOperators } from '../matcher.ts';
import { equal } from '../order.ts';
import { select } from '../query.ts';
import { documentFrom, parseUpdate } from '../updater.ts';
import { checkStorable, type Doc, isDoc, ownValue } from '../values.ts';
import { Args, type Command, collectionOf, writeCommand } from './command.ts';
import { projectionOf } from './read.ts';

const FIND_AND_MODIFY = 'query sort remove update new fields upsert hint';

/** Executes the statements of a batch, and turns failures into write errors. */
function runBatch(args: Args, key: string, run: (statement: Doc, index: number) => void): Doc {
  const statements = args.documents(key);
  if (statements.length === 0) throw new ServerError(16, 'A batch has at least one statement');
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

/** Parses an update: operators or, except for several documents, a replacement. */
function parseChange(update: unknown, many = false): (doc: Doc, inserting?: boolean) => Doc {
  if (Array.isArray(update)) throw notSupported('an update by a pipeline');
  if (!isDoc(update)) throw failedToParse('Update argument must be either an object or an array');
  if (many && !isOperators(update)) throw failedToParse('multi update is not for a replacement');
  const change = isOperators(update) ? parseUpdate(update) : replacing(update);
  return (before, inserting = false) => {
    const after = change(before, inserting);
    checkStorable(after);
    if (!Object.hasOwn(before, '_id') || equal(before._id, ownValue(after, '_id'))) return after;
    throw new ServerError(66, "The update would modify the immutable field '_id'");
  };
}

function replacing(update: Doc): (doc: Doc) => Doc {
  const operator = Object.keys(update).find((name) => name.startsWith('$'));
  if (operator) throw new ServerError(52, `The field '${operator}' is not allowed in a replacement`);
  return (doc) => (Object.hasOwn(doc, '_id') ? { _id: doc._id, ...update } : update);
}

export const writeCommands: Record<string, Command> = {
  insert: writeCommand('documents ordered bypassDocumentValidation', (context, args) => {
    let n = 0;
    const errors = runBatch(args, 'documents', (doc) => {
      checkStorable(doc);
      context.engine.insert(collectionOf(context, args), doc);
      n++;
    });
    return { n, ...errors };
  }),

  update: writeCommand('updates ordered bypassDocumentValidation', (context, args) => {
    const upserted: Doc[] = [];
    let [n, nModified] = [0, 0];
    const errors = runBatch(args, 'updates', (statement, index) => {
      const within = new Args('update.updates', statement, 'q u multi upsert hint');
      const [filter, multi, hint] = [within.document('q', true), within.flag('multi'), within.get('hint')];
      const change = parseChange(within.get('u'), multi);
      const collection = collectionOf(context, args);
      const found = select(collection, { filter, hint, limit: multi ? 0 : 1 });
      const changed = found.filter((stored) =>
        context.engine.replace(collection, stored, change(stored.doc)),
      );
      // A failed statement counts nothing, although its changes remain.
      [n, nModified] = [n + found.length, nModified + changed.length];
      if (found.length > 0 || !within.flag('upsert')) return;
      const { _id } = context.engine.insert(collection, change(documentFrom(filter), true));
      upserted.push({ index, _id });
      n++;
    });
    return { n, nModified, ...(upserted.length > 0 ? { upserted } : {}), ...errors };
  }),

  delete: writeCommand('deletes ordered', (context, args) => {
    let n = 0;
    const errors = runBatch(args, 'deletes', (statement) => {
      const within = new Args('delete.deletes', statement, 'q limit hint');
      const [filter, limit, hint] = [within.document('q', true), within.count('limit'), within.get('hint')];
      if (limit !== 0 && limit !== 1) throw failedToParse('The limit field in delete objects must be 0 or 1');
      const collection = collectionOf(context, args);
      for (const stored of select(collection, { filter, limit, hint })) {
        context.engine.put(collection, stored);
        n++;
      }
    });
    return { n, ...errors };
  }),

  findAndModify: writeCommand(`${FIND_AND_MODIFY} bypassDocumentValidation`, (context, args) => {
    const [filter, sort, hint] = [args.document('query'), args.document('sort'), args.get('hint')];
    const [removes, upserts, wantsNew] = [args.flag('remove'), args.flag('upsert'), args.flag('new')];
    const [update, project, { engine }] = [args.get('update'), projectionOf(args, 'fields'), context];
    const isEither = removes ? update === undefined && !upserts && !wantsNew : update !== undefined;
    if (!isEither) throw failedToParse("Needs 'remove', or an 'update' and perhaps 'upsert' and 'new'");
    const change = removes ? undefined : parseChange(update);
    const collection = collectionOf(context, args);
    const [stored] = select(collection, { filter, sort, hint, limit: 1 });
    const before = stored?.doc;
    let made: Doc | undefined;
    if (stored && change) engine.replace(collection, stored, change(stored.doc));
    else if (stored) engine.put(collection, stored);
    else if (change && upserts) made = engine.insert(collection, change(documentFrom(filter), true));
    const shown = wantsNew ? (made ?? stored?.doc) : before;
    const existing = change ? { updatedExisting: Boolean(stored) } : {};
    const lastErrorObject = { n: stored || made ? 1 : 0, ...existing, ...(made && { upserted: made._id }) };
    return { lastErrorObject, value: shown ? project(shown) : null };
  }),
};
