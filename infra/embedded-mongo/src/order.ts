import { Binary, BSONRegExp, ObjectId, Timestamp } from 'bson';
import { badValue } from './errors.ts';
import { type Doc, isDoc, numberOf, typeName } from './values.ts';

/**
 * The one order of BSON values. A value is written as a string whose plain comparison is MongoDB's comparison,
 * and no such string is the beginning of another, so that those of compound keys can be put end to end.
 */
const RANK: Record<string, string> = {
  minKey: '\u0001',
  emptyArray: '\u0002',
  null: '\u0003',
  number: '\u0004',
  string: '\u0005',
  object: '\u0006',
  array: '\u0007',
  binData: '\u0008',
  objectId: '\u0009',
  bool: '\u000a',
  date: '\u000b',
  timestamp: '\u000c',
  regex: '\u000d',
  maxKey: '\u000e',
};
const END = '\u0000';
const R_NUMBER = '\u0004';
const R_STRING = '\u0005';

/** The key of an empty array in an index: before null. */
export const EMPTY_ARRAY_KEY = '\u0002';
export const NULL_KEY = '\u0003';
/** Greater than anything that can follow a prefix. */
export const AFTER_ALL = '\uffff';

const float = new Float64Array(1);
const halves = new Uint16Array(float.buffer);

function numberKey(value: number): string {
  if (Number.isNaN(value)) return '\u0000\u0000\u0000\u0000';
  float[0] = value === 0 ? 0 : value;
  const [a = 0, b = 0, c = 0, d = 0] = halves;
  return d & 0x8000
    ? String.fromCharCode(~d & 0xffff, ~c & 0xffff, ~b & 0xffff, ~a & 0xffff)
    : String.fromCharCode(d | 0x8000, c, b, a);
}

const ESCAPE = '\u0001';
const SPECIAL = new RegExp(`[${END}${ESCAPE}\ud800-\uffff]`);
const SPECIALS = new RegExp(SPECIAL, 'g');

/** UTF-16 puts surrogates before U+E000..U+FFFF where UTF-8, and so MongoDB, puts them after. */
function stringKey(text: string): string {
  if (!SPECIAL.test(text)) return text + END;
  const escaped = text.replace(SPECIALS, (char) => {
    const code = char.charCodeAt(0);
    if (code < 2) return ESCAPE + String.fromCharCode(code + 1);
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
  });
  return escaped + END;
}

function docBody(doc: Doc): string {
  let body = '';
  for (const key of Object.keys(doc)) {
    const value = keyOf(doc[key]);
    body += value[0] + stringKey(key) + value.slice(1);
  }
  return body + END;
}

/** The sort key of a value; a missing one counts as null. */
export function keyOf(value: unknown): string {
  if (typeof value === 'string') return R_STRING + stringKey(value);
  const number = numberOf(value);
  if (number !== undefined) return R_NUMBER + numberKey(number);
  const type = typeName(value);
  return (RANK[type] ?? '') + bodyOf(value);
}

function bodyOf(value: unknown): string {
  if (value instanceof ObjectId) return value.toHexString();
  if (typeof value === 'boolean') return value ? '\u0002' : '\u0001';
  if (value instanceof Date) return numberKey(value.getTime());
  if (Array.isArray(value)) return `${value.map(keyOf).join('')}${END}`;
  if (value instanceof Binary) {
    return numberKey(value.position) + String.fromCharCode(value.sub_type) + stringKey(latin1(value.value()));
  }
  if (value instanceof Timestamp)
    return numberKey(value.getHighBitsUnsigned()) + numberKey(value.getLowBitsUnsigned());
  if (value instanceof BSONRegExp) return stringKey(value.pattern) + stringKey(value.options);
  return isDoc(value) ? docBody(value) : '';
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** The bracket of types that a range operator compares within, as the bounds of their keys. */
export function bracketOf(value: unknown): [string, string] {
  const rank = keyOf(value)[0] ?? '';
  return [rank, rank + AFTER_ALL];
}

/** Turns a key round, for the descending fields of a compound key. */
export function invert(key: string): string {
  let inverted = '';
  for (let i = 0; i < key.length; i++) inverted += String.fromCharCode(0xffff - key.charCodeAt(i));
  return inverted;
}

/** MongoDB's order of two values: negative, zero or positive. */
export function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number' && !Number.isNaN(a - b))
    return a - b || (a < b ? -1 : a > b ? 1 : 0);
  const left = keyOf(a);
  const right = keyOf(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Whether two values are equal to MongoDB: 1 and 1.0 are, {a, b} and {b, a} are not. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const type = typeof a;
  if (type === typeof b && (type === 'string' || type === 'boolean')) return false;
  return keyOf(a) === keyOf(b);
}

export type SortField = { parts: string[]; path: string; descending: boolean };

/** Reads `{a: 1, 'b.c': -1}`. */
export function parseSort(sort: Doc): SortField[] {
  return Object.keys(sort).map((path) => {
    const direction = numberOf(sort[path]);
    if (direction !== 1 && direction !== -1) {
      throw badValue(`$sort key ordering must be 1 (for ascending) or -1 (for descending): ${path}`);
    }
    return { path, parts: path.split('.'), descending: direction === -1 };
  });
}
