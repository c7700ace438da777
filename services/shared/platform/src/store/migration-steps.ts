import { type Connection, mongo } from 'mongoose';
import { isNotFound } from './store-errors.ts';

const { MongoBulkWriteError } = mongo;

/** Number of documents in one command. */
const batch = 1_000;

const duplicateKey = 11_000;

/** Whether every document that could not be inserted was there already. */
const hasOnlyDuplicates = (error: unknown): boolean =>
  error instanceof MongoBulkWriteError &&
  error.result.getWriteConcernError() === undefined &&
  [error.writeErrors].flat().every(({ code }) => code === duplicateKey);

/** Batches of documents until there are no more; `find` gets the last document of the batch before. */
async function* batches<T>(find: (last: T | undefined) => PromiseLike<T[]>): AsyncGenerator<T[]> {
  for (let last: T | undefined; ; ) {
    const found = await find(last);
    last = found.at(-1);
    if (!last) return;
    yield found;
  }
}

/**
 * The documents of a collection in the order of their ids, a batch at a time.
 *
 * @param find - Finds the next batch: some of the documents that match the filter, sorted by id.
 */
export const pagesById = <T extends { _id: number }>(
  find: (after: { _id: { $gt: number } }) => PromiseLike<T[]>,
): AsyncGenerator<T[]> => batches<T>((last) => find({ _id: { $gt: last?._id ?? 0 } }));

/** Updates all documents of a collection in batches in the order of their ids, so that no query needs another index. */
async function updateAll(
  connection: Connection,
  name: string,
  { filter = {}, update }: { filter?: object; update: mongo.UpdateFilter<mongo.Document> },
): Promise<void> {
  const collection = connection.collection(name);
  const all = batches<{ _id: mongo.ObjectId }>((last) =>
    collection
      .find(last ? { _id: { $gt: last._id } } : {}, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .limit(batch)
      .toArray(),
  );
  for await (const found of all)
    await collection.updateMany({ ...filter, _id: { $in: found.map(({ _id }) => _id) } }, update);
}

/**
 * Renames fields in all documents of a collection, in batches; nothing if there is no such collection. Where a document has
 * both, the value of the old field wins. Fields in arrays cannot be renamed.
 *
 * @param fields - The new name or path of each old one.
 */
export const renameFields = (
  connection: Connection,
  name: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> => updateAll(connection, name, { update: { $rename: fields } });

/**
 * Replaces a value of a field in all documents of a collection, in batches; nothing if there is no such collection.
 *
 * @param field - Its name or path.
 */
export const replaceValue = (
  connection: Connection,
  name: string,
  { field, from, to }: { field: string; from: string; to: string },
): Promise<void> =>
  updateAll(connection, name, { filter: { [field]: from }, update: { $set: { [field]: to } } });

/**
 * Moves all documents of a collection to another one, in batches, and drops the empty one; nothing if there is no such
 * collection. Stores without `renameCollection` can do it, and the new collection may exist with its indexes. A
 * document whose id is there already stays as it is there, so the collection has no other unique index.
 */
export async function moveCollection(connection: Connection, from: string, to: string): Promise<void> {
  const source = connection.collection(from);
  const target = connection.collection(to);
  for (;;) {
    const documents = await source.find().sort({ _id: 1 }).limit(batch).toArray();
    if (!documents.length) break;
    await target.insertMany(documents, { ordered: false }).catch((error: unknown) => {
      if (!hasOnlyDuplicates(error)) throw error;
    });
    await source.deleteMany({ _id: { $in: documents.map(({ _id }) => _id) } });
  }
  await dropCollection(connection, from);
}

/** Drops a collection, if there is one. */
export async function dropCollection(connection: Connection, name: string): Promise<void> {
  await connection
    .collection(name)
    .drop()
    .catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
}

/** Drops an index, if there is one. */
export async function dropIndex(connection: Connection, collection: string, name: string): Promise<void> {
  await connection
    .collection(collection)
    .dropIndex(name)
    .catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
}
