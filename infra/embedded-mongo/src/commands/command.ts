import type { Cursors } from '../cursors.ts';
import type { Collection, Engine } from '../engine.ts';
import { badValue, notSupported, ServerError, typeMismatch } from '../errors.ts';
import { type Doc, isDoc, numberOf, own, typeName } from '../values.ts';

/** What a command works with. */
export type Context = { engine: Engine; cursors: Cursors; db: string; connection: number; started: Date };
export type Command = {
  /** The fields it takes beside its name and those that every command takes. */
  fields: string;
  /** It may write: its answer waits for the disk, and is remembered when the client numbers it. */
  writes?: boolean;
  run(context: Context, args: Args): Doc;
};

/** The arguments of a command, each read with its type. */
export class Args {
  readonly name: string;
  readonly doc: Doc;

  constructor(name: string, doc: Doc) {
    this.name = name;
    this.doc = doc;
  }

  #wrong(key: string, wanted: string): ServerError {
    const found = typeName(own(this.doc, key));
    return typeMismatch(
      `BSON field '${this.name}.${key}' is the wrong type '${found}', expected type '${wanted}'`,
    );
  }

  get(key: string): unknown {
    return own(this.doc, key);
  }

  document(key: string): Doc | undefined {
    const value = own(this.doc, key);
    if (value === undefined || value === null || isDoc(value)) return value ?? undefined;
    throw this.#wrong(key, 'object');
  }

  list(key: string): unknown[] {
    const value = own(this.doc, key);
    if (Array.isArray(value)) return value;
    throw value === undefined ? missing(this.name, key) : this.#wrong(key, 'array');
  }

  documents(key: string): Doc[] {
    const list = this.list(key);
    if (!list.every(isDoc)) throw this.#wrong(key, 'object');
    return list;
  }

  string(key: string): string {
    const value = own(this.doc, key);
    if (typeof value === 'string') return value;
    throw value === undefined ? missing(this.name, key) : this.#wrong(key, 'string');
  }

  flag(key: string, otherwise = false): boolean {
    const value = own(this.doc, key);
    if (value === undefined || value === null) return otherwise;
    const number = numberOf(value);
    if (typeof value !== 'boolean' && number === undefined) throw this.#wrong(key, 'bool');
    return value === true || (number !== undefined && number !== 0);
  }

  /** A whole number that is not negative. */
  count(key: string): number | undefined {
    const value = own(this.doc, key);
    if (value === undefined || value === null) return undefined;
    const number = numberOf(value);
    if (number === undefined) throw this.#wrong(key, 'long');
    if (!Number.isInteger(number)) throw badValue(`${key} has to be a whole number`);
    if (number < 0) {
      throw new ServerError(51024, `BSON field '${key}' value must be >= 0, actual value '${number}'`);
    }
    return number;
  }
}

const missing = (name: string, key: string) =>
  new ServerError(40414, `BSON field '${name}.${key}' is missing but a required field`);

/** Fails on a field that is not one of those named: an option is never ignored. */
export function checkFields(what: string, doc: Doc, fields: Set<string>): void {
  for (const key of Object.keys(doc)) {
    if (!fields.has(key)) throw new ServerError(40415, `BSON field '${what}.${key}' is an unknown field.`);
  }
  const collation = own(doc, 'collation');
  if (isDoc(collation) && Object.keys(collation).length > 0 && collation.locale !== 'simple') {
    throw notSupported('a collation');
  }
}

export const fieldSet = (names: string) => new Set(names.split(' ').filter(Boolean));

/** The namespace that a command's first field names. */
export function namespaceOf({ db }: Context, args: Args): string {
  const name = args.get(args.name);
  if (typeof name !== 'string' || name === '') {
    throw new ServerError(73, `collection name has invalid type or is empty: ${typeName(name)}`);
  }
  return `${db}.${name}`;
}

export function collectionOf(context: Context, args: Args): Collection | undefined {
  return context.engine.collections.get(namespaceOf(context, args));
}

export function needCollection(context: Context, args: Args): Collection {
  const found = collectionOf(context, args);
  if (!found) throw new ServerError(26, `ns does not exist: ${namespaceOf(context, args)}`);
  return found;
}
