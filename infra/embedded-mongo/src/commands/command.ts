import type { Cursors } from '../cursors.ts';
import type { Collection, Engine } from '../engine.ts';
import { notSupported, ServerError, typeMismatch } from '../errors.ts';
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

const isString = (value: unknown): value is string => typeof value === 'string';
const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const isDocs = (value: unknown): value is Doc[] => isList(value) && value.every(isDoc);

/** The fields of a command or of a statement in it, each read with its type; one it does not know is an error. */
export class Args {
  readonly name: string;
  readonly doc: Doc;

  constructor(name: string, doc: Doc, known: Set<string>) {
    this.name = name;
    this.doc = doc;
    const unknown = Object.keys(doc).find((key) => !known.has(key));
    if (unknown) throw new ServerError(40415, `BSON field '${name}.${unknown}' is an unknown field.`);
    const collation = this.document('collation');
    if (collation && own(collation, 'locale') !== 'simple') throw notSupported('a collation');
  }

  get(key: string): unknown {
    return own(this.doc, key) ?? undefined;
  }

  #typed<T>(key: string, is: (value: unknown) => value is T, type: string): T | undefined {
    const value = this.get(key);
    if (value === undefined || is(value)) return value;
    throw typeMismatch(
      `BSON field '${this.name}.${key}' is the wrong type '${typeName(value)}', expected type '${type}'`,
    );
  }

  #needed<T>(key: string, value: T | undefined): T {
    if (value !== undefined) return value;
    throw new ServerError(40414, `BSON field '${this.name}.${key}' is missing but a required field`);
  }

  document(key: string): Doc | undefined {
    return this.#typed(key, isDoc, 'object');
  }

  list(key: string): unknown[] {
    return this.#needed(key, this.#typed(key, isList, 'array'));
  }

  documents(key: string): Doc[] {
    return this.#needed(key, this.#typed(key, isDocs, 'array of objects'));
  }

  string(key: string): string {
    return this.#needed(key, this.#typed(key, isString, 'string'));
  }

  flag(key: string, otherwise = false): boolean {
    const value = this.get(key) ?? otherwise;
    return value === true || (numberOf(value) ?? 0) !== 0;
  }

  /** A whole number that is not negative. */
  count(key: string): number | undefined {
    const value = this.get(key);
    const number = numberOf(value);
    if (value === undefined || (Number.isInteger(number) && (number ?? -1) >= 0)) return number;
    throw new ServerError(
      number === undefined ? 14 : 51024,
      `BSON field '${key}' value must be a whole number >= 0`,
    );
  }
}

export const fieldSet = (names: string) => new Set(names.split(' ').filter(Boolean));

/** The namespace that the first field of a command names. */
export const namespaceOf = ({ db }: Context, args: Args) => `${db}.${args.string(args.name)}`;

export function collectionOf(context: Context, args: Args): Collection | undefined {
  return context.engine.collections.get(namespaceOf(context, args));
}
