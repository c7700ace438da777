import * as bson from 'bson';
import { badValue, ServerError } from './errors.ts';

const { Binary, BSONRegExp, Double, Int32, Long, ObjectId, Timestamp } = bson;

export type Doc = { [key: string]: unknown };
export type NumberKind = 'int' | 'long' | 'double';

const MAX_BYTES = 16 * 1024 * 1024;
/** Maximum depth of received values; that of stored ones is lower, so that they can be nested in a response. */
const MAX_DEPTH = 200;

/** A document or sub-document, as opposed to a scalar, an array or one of BSON's own types. */
export function isDoc(value: unknown): value is Doc {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The own value of a key: inherited names such as `constructor` do not exist in a document or a table. */
export function ownValue<T>(table: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Sets a key as data, also when its name is `__proto__`. */
export function setField(doc: Doc, key: string, value: unknown): void {
  if (key !== '__proto__') doc[key] = value;
  else Object.defineProperty(doc, key, { value, writable: true, enumerable: true, configurable: true });
}

const isInt32 = (value: number) => (value | 0) === value && !Object.is(value, -0);

/** The number of a value, whatever its BSON type; undefined if it is none. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (value instanceof Double) return value.value;
  return value instanceof Long ? value.toNumber() : undefined;
}

/** A plain number has the type that a driver would send: int32 if it fits, otherwise double. */
function numberKind(value: unknown): NumberKind {
  if (value instanceof Long) return 'long';
  return typeof value === 'number' && isInt32(value) ? 'int' : 'double';
}

function checkWhole(value: number): void {
  if (!Number.isSafeInteger(value)) throw badValue('integers beyond 2^53 are not supported by this server');
}

/** Boxes only numbers whose type a plain number would lose. */
export function makeNumber(kind: NumberKind, value: number): unknown {
  if (kind === 'double') return isInt32(value) ? new Double(value) : value;
  checkWhole(value);
  return kind === 'int' && isInt32(value) ? value : Long.fromNumber(value);
}

/** The widest type of numbers, which is that of their sum or product. */
export function widestNumberKind(values: unknown[]): NumberKind {
  const kinds = new Set(values.map(numberKind));
  return kinds.has('double') ? 'double' : kinds.has('long') ? 'long' : 'int';
}

/** Converts a decoded value into the form that is stored, and rejects what has none. */
function normalize(value: unknown, depth: number): unknown {
  if (value === undefined) throw badValue('the BSON type undefined is not supported by this server');
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Int32) return value.value;
  if (value instanceof Double) return makeNumber('double', value.value);
  if (value instanceof Date && Number.isNaN(value.getTime())) throw badValue('a date beyond the year 275760');
  if (value instanceof ObjectId || value instanceof Date || value instanceof BSONRegExp) return value;
  if (depth > MAX_DEPTH) throw new ServerError(15, `the document is nested deeper than ${MAX_DEPTH}`);
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = normalize(value[i], depth + 1);
  } else if (isDoc(value)) {
    // bson uses this name to mark its own types.
    if (Object.hasOwn(value, '_bsontype')) throw badValue("the field name '_bsontype' is not supported");
    for (const key of Object.keys(value)) setField(value, key, normalize(value[key], depth + 1));
  } else if (value instanceof Long && !(value instanceof Timestamp)) checkWhole(value.toNumber());
  // A decoded value is a view of the whole message, which would be kept in memory.
  else if (value instanceof Binary) value.buffer = Buffer.from(value.buffer);
  else throw badValue(`the BSON type ${value.constructor.name} is not supported by this server`);
  return value;
}

/** Decodes a BSON document: int32 and most doubles become numbers, everything else keeps BSON's own types. */
export function decode(bytes: Uint8Array): Doc {
  let doc: Doc;
  try {
    doc = bson.deserialize(bytes, { promoteValues: false, promoteLongs: false, bsonRegExp: true });
  } catch (error) {
    throw new ServerError(22, `invalid BSON: ${error}`);
  }
  normalize(doc, 0);
  return doc;
}

/** Fails for values that are nested too deeply, and for regular expressions, which would match themselves. */
export function checkStorable(value: unknown, remainingDepth = 180): void {
  if (value instanceof BSONRegExp) throw badValue('regular expressions are not stored by this server');
  if (remainingDepth < 0) throw new ServerError(15, 'the document is nested too deep to be stored');
  if (isDoc(value) || Array.isArray(value))
    for (const each of Object.values(value)) checkStorable(each, remainingDepth - 1);
}

/** Encodes a document as BSON, and rejects one that exceeds MongoDB's limit. */
export function encode(doc: Doc): Uint8Array {
  const size = bson.calculateObjectSize(doc);
  if (size <= MAX_BYTES) return bson.serialize(doc);
  throw new ServerError(10334, `BSONObj size: ${size} is invalid, at most ${MAX_BYTES} is allowed`);
}

/** The name of a value's BSON type, as `$type` knows it; a missing value counts as null. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (numberOf(value) !== undefined) return numberKind(value);
  if (Array.isArray(value)) return 'array';
  if (value instanceof ObjectId) return 'objectId';
  if (value instanceof Date) return 'date';
  if (value instanceof Binary) return 'binData';
  return value instanceof BSONRegExp ? 'regex' : 'object';
}

/** All names that `typeName` returns. */
export const TYPES = 'double string object array binData objectId bool date null regex int long'.split(' ');
