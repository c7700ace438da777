import {
  Binary,
  BSONRegExp,
  DBRef,
  Double,
  deserialize,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  serialize,
  Timestamp,
} from 'bson';
import { badValue, ServerError } from './errors.ts';

export type Doc = { [key: string]: unknown };

const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 180;

/** A document or sub-document, as opposed to a scalar, an array or one of BSON's own types. */
export function isDoc(value: unknown): value is Doc {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The own value of a key: inherited names such as `constructor` do not exist in a document. */
export function own(doc: Doc, key: string): unknown {
  return Object.hasOwn(doc, key) ? doc[key] : undefined;
}

/** Sets a key as data, also when its name is `__proto__`. */
export function put(doc: Doc, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(doc, key, { value, writable: true, enumerable: true, configurable: true });
  } else doc[key] = value;
}

export type NumberKind = 'int' | 'long' | 'double';

const isInt32 = (value: number) => (value | 0) === value && !Object.is(value, -0);

/** The number a value holds, whatever its BSON type; undefined when it is none. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (value instanceof Double) return value.value;
  if (value instanceof Long) return value.toNumber();
  return undefined;
}

/** A plain number stands for what the driver would send: int32 when it fits, else double. */
export function numberKind(value: unknown): NumberKind {
  if (value instanceof Long) return 'long';
  return typeof value === 'number' && isInt32(value) ? 'int' : 'double';
}

/** Boxes only the numbers whose type a plain number would lose. */
export function makeNumber(kind: NumberKind, value: number): unknown {
  if (kind === 'double') return isInt32(value) ? new Double(value) : value;
  if (!Number.isSafeInteger(value)) throw badValue('integers beyond 2^53 are not supported by this server');
  return kind === 'int' && isInt32(value) ? value : Long.fromNumber(value);
}

function settle(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) {
    if (value === undefined) throw badValue('the BSON type undefined is not supported by this server');
    return value;
  }
  if (value instanceof Int32) return value.value;
  if (value instanceof Double) return isInt32(value.value) ? value : value.value;
  if (value instanceof Long) {
    const whole = value.toNumber();
    if (!Number.isSafeInteger(whole)) throw badValue('integers beyond 2^53 are not supported by this server');
    return value;
  }
  if (value instanceof ObjectId || value instanceof Date) return value;
  if (depth > MAX_DEPTH)
    throw new ServerError(15, `BSONObj exceeded maximum nested object depth: ${MAX_DEPTH}`);
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = settle(value[i], depth + 1);
    return value;
  }
  if (value instanceof DBRef) {
    const { collection, oid, db, fields } = value;
    return settle({ $ref: collection, $id: oid, ...(db ? { $db: db } : {}), ...fields }, depth);
  }
  if (isDoc(value)) {
    for (const key of Object.keys(value)) {
      const before = value[key];
      const after = settle(before, depth + 1);
      if (after !== before) put(value, key, after);
    }
    if (Object.hasOwn(value, '_bsontype')) throw badValue("the field name '_bsontype' is not supported");
    return value;
  }
  const known = [Binary, BSONRegExp, Timestamp, MinKey, MaxKey];
  if (known.some((type) => value instanceof type)) return value;
  throw badValue(`the BSON type ${value.constructor.name} is not supported by this server`);
}

/** Reads one BSON document: int32 and most doubles as numbers, the rest in BSON's own types. */
export function decode(bytes: Uint8Array): Doc {
  const doc = deserialize(bytes, { promoteValues: false, promoteLongs: false, bsonRegExp: true });
  settle(doc, 0);
  return doc;
}

/** Writes one BSON document, refusing what exceeds MongoDB's size limit. */
export function encode(doc: Doc): Uint8Array {
  const bytes = serialize(doc, { ignoreUndefined: true });
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    throw new ServerError(
      10334,
      `BSONObj size: ${bytes.length} is invalid. Size must be between 0 and 16793600`,
    );
  }
  return bytes;
}

/** A copy that shares nothing that can be changed. */
export function clone<T>(value: T): T;
export function clone(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => clone(item));
  if (!isDoc(value)) return value;
  const copy: Doc = {};
  for (const key of Object.keys(value)) put(copy, key, clone(value[key]));
  return copy;
}

const TYPE_NAMES: [string, number][] = [
  ['double', 1],
  ['string', 2],
  ['object', 3],
  ['array', 4],
  ['binData', 5],
  ['objectId', 7],
  ['bool', 8],
  ['date', 9],
  ['null', 10],
  ['regex', 11],
  ['int', 16],
  ['timestamp', 17],
  ['long', 18],
  ['minKey', -1],
  ['maxKey', 127],
];
/** Names that are part of the language of `$type` though no stored value can have them. */
const ABSENT_TYPES: [string, number][] = [
  ['undefined', 6],
  ['dbPointer', 12],
  ['javascript', 13],
  ['symbol', 14],
  ['javascriptWithScope', 15],
  ['decimal', 19],
];
const BY_NUMBER = new Map([...TYPE_NAMES, ...ABSENT_TYPES].map(([name, number]) => [number, name]));

/** The name of a value's BSON type, as `$type` knows it. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (numberOf(value) !== undefined) return numberKind(value);
  if (Array.isArray(value)) return 'array';
  if (value instanceof ObjectId) return 'objectId';
  if (value instanceof Date) return 'date';
  if (value instanceof Binary) return 'binData';
  if (value instanceof BSONRegExp) return 'regex';
  if (value instanceof Timestamp) return 'timestamp';
  if (value instanceof MinKey) return 'minKey';
  if (value instanceof MaxKey) return 'maxKey';
  return 'object';
}

/** The type names that one operand of `$type` stands for. */
export function typeNames(operand: unknown): string[] {
  if (operand === 'number') return ['int', 'long', 'double', 'decimal'];
  const name = typeof operand === 'string' ? operand : BY_NUMBER.get(numberOf(operand) ?? Number.NaN);
  if (name === undefined || ![...BY_NUMBER.values()].includes(name)) {
    throw badValue(`Unknown type name alias: ${String(operand)}`);
  }
  return [name];
}
