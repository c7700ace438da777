import type { Cursors } from '../cursors.ts';
import type { Collection, Engine } from '../engine.ts';
import { notSupported, ServerError, typeMismatch } from '../errors.ts';
import { type Doc, isDoc, numberOf, ownValue, typeName } from '../values.ts';

/** The context of a command. */
export type Context = { engine: Engine; cursors: Cursors; db: string };
type Run = (context: Context, args: Args) => Doc;
/** A command with its fields. The response of one that `writes` waits for the disk. */
export type Command = { fields: Set<string>; writes: boolean; run: Run };

/** Fields of every command. */
const GENERIC = '$db lsid txnNumber $readPreference readConcern writeConcern comment maxTimeMS $clusterTime';
/** Fields of MongoDB's commands that this server does not support. */
const UNSUPPORTED =
  /^(arrayFilters|c|capped|collation|expireAfterSeconds|let|max|min|pipeline|size|tailable|timeseries|validat\w+|viewOn)$/;

const fieldSet = (fields: string) => new Set(fields.split(' '));

/** A command that only reads. */
export function readCommand(fields: string, run: Run): Command {
  return { fields: fieldSet(`${GENERIC} ${fields}`), writes: false, run };
}

/** A command that may write. */
export const writeCommand = (fields: string, run: Run): Command => ({
  ...readCommand(fields, run),
  writes: true,
});

const isFlag = (value: unknown): value is unknown =>
  typeof value === 'boolean' || numberOf(value) !== undefined;
const isString = (value: unknown): value is string => typeof value === 'string';
const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const isDocs = (value: unknown): value is Doc[] => isList(value) && value.every(isDoc);

/** The fields of a command or of a statement in it, each read with its type; an unknown one is an error. */
export class Args {
  readonly name: string;
  readonly doc: Doc;

  constructor(name: string, doc: Doc, known: Set<string> | string) {
    this.name = name;
    this.doc = doc;
    const fields = typeof known === 'string' ? fieldSet(known) : known;
    const unknown = Object.keys(doc).find((key) => key !== name && !fields.has(key));
    if (!unknown) return;
    if (UNSUPPORTED.test(unknown)) throw notSupported(`the option ${unknown}`);
    throw new ServerError(40415, `BSON field '${name}.${unknown}' is an unknown field.`);
  }

  get(key: string): unknown {
    return ownValue(this.doc, key) ?? undefined;
  }

  #read<T>(key: string, is: (value: unknown) => value is T, type: string, defaultValue?: T): T {
    const value = this.get(key) ?? defaultValue;
    if (is(value)) return value;
    const field = `BSON field '${this.name}.${key}'`;
    if (value === undefined) throw new ServerError(40414, `${field} is missing but a required field`);
    throw typeMismatch(`${field} is the wrong type '${typeName(value)}', expected type '${type}'`);
  }

  /** A document; by default an empty one, unless it is required. */
  document(key: string, isNeeded = false): Doc {
    return this.#read(key, isDoc, 'object', isNeeded ? undefined : {});
  }

  list(key: string): unknown[] {
    return this.#read(key, isList, 'array');
  }

  documents(key: string): Doc[] {
    return this.#read(key, isDocs, 'array of objects');
  }

  string(key: string): string {
    return this.#read(key, isString, 'string');
  }

  flag(key: string, defaultValue = false): boolean {
    const value = this.#read(key, isFlag, 'bool', defaultValue);
    return value === true || (numberOf(value) ?? 0) !== 0;
  }

  /** A non-negative integer. */
  count(key: string): number | undefined {
    const value = this.get(key);
    const number = numberOf(value);
    if (value === undefined || (Number.isInteger(number) && (number ?? -1) >= 0)) return number;
    throw new ServerError(number === undefined ? 14 : 51024, `'${key}' must be a whole number >= 0`);
  }
}

/** The namespace that the first field of a command names. */
export const namespaceOf = ({ db }: Context, args: Args) => `${db}.${args.string(args.name)}`;

/** The collection of that namespace, which may not exist yet. */
export const collectionOf = (context: Context, args: Args): Collection =>
  context.engine.collection(namespaceOf(context, args));

/** The collection of that namespace, which must exist. */
export function existingOf(context: Context, args: Args): Collection {
  const collection = collectionOf(context, args);
  if (collection.number > 0) return collection;
  // The only error name that mongoose examines.
  const codeName = 'NamespaceNotFound';
  throw new ServerError(26, `ns does not exist: ${collection.namespace}`, { codeName });
}
