import { Binary, BSONRegExp, ObjectId } from 'bson';
import { badValue } from './errors.ts';
import { visitPath } from './paths.ts';
import { type Doc, isDoc, numberOf, ownValue, typeName } from './values.ts';

/**
 * The order of BSON values. A value becomes a string whose lexical order is MongoDB's order; no such string is a prefix
 * of another one, so that keys of compound indexes can be concatenated.
 */
const RANKS = 'emptyArray null number string object array binData objectId bool date regex'.split(' ');
const rankOf = (type: string) => RANKS.indexOf(type) + 1;
const [NUMBER, OBJECT_ID, DATE] = [rankOf('number'), rankOf('objectId'), rankOf('date')];
const STRING = String.fromCharCode(rankOf('string'));
const END = '\u0000';
const ESCAPE = '\u0001';

/** An empty array precedes null in an index. */
const EMPTY_ARRAY_KEY = String.fromCharCode(rankOf('emptyArray'));
export const NULL_KEY = String.fromCharCode(rankOf('null'));
/** Greater than anything that can follow a prefix: an inverted key may contain several such characters. */
export const MAX_KEY_SUFFIX = '\uffff'.repeat(8);

const float = new Float64Array(1);
const halves = new Uint16Array(float.buffer);

/** A number after its rank, as one string: concatenated strings are slow to look up. */
function numberKey(value: number, rank = NUMBER): string {
  if (Number.isNaN(value)) return String.fromCharCode(rank, 0, 0, 0, 0);
  float[0] = value === 0 ? 0 : value;
  const flip = (halves[3] ?? 0) & 0x8000 ? 0xffff : 0;
  const part = (i: number) => (halves[i] ?? 0) ^ flip;
  return String.fromCharCode(rank, flip ? part(3) : part(3) | 0x8000, part(2), part(1), part(0));
}

function idKey(id: Uint8Array): string {
  const pair = (i: number) => ((id[i] ?? 0) << 8) | (id[i + 1] ?? 0);
  return String.fromCharCode(OBJECT_ID, pair(0), pair(2), pair(4), pair(6), pair(8), pair(10));
}

const SPECIAL = new RegExp(`[${END}${ESCAPE}\ud800-\uffff]`);
const SPECIALS = new RegExp(SPECIAL, 'g');

/** UTF-16 orders surrogates before U+E000..U+FFFF; UTF-8, and so MongoDB, orders them after. */
function stringKey(text: string): string {
  if (!SPECIAL.test(text)) return text + END;
  const escaped = text.replace(SPECIALS, (char) => {
    const code = char.charCodeAt(0);
    if (code < 2) return ESCAPE + String.fromCharCode(code + 1);
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
  });
  return escaped + END;
}

/** Documents are ordered by the types of their fields, then by names, then by values. */
function docKey(doc: Doc): string {
  const fields = Object.keys(doc).map((name) => {
    const value = keyOf(doc[name]);
    return value.charAt(0) + stringKey(name) + value.slice(1);
  });
  return fields.join('') + END;
}

function bodyOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? '\u0002' : '\u0001';
  if (Array.isArray(value)) return value.map(keyOf).join('') + END;
  if (value instanceof Binary) {
    const bytes = Buffer.from(value.value()).toString('latin1');
    return numberKey(bytes.length) + String.fromCharCode(value.sub_type) + stringKey(bytes);
  }
  if (value instanceof BSONRegExp) return stringKey(value.pattern) + stringKey(value.options);
  return isDoc(value) ? docKey(value) : '';
}

/** The sort key of a value; a missing one counts as null. */
export function keyOf(value: unknown): string {
  if (typeof value === 'string') return STRING + stringKey(value);
  if (value instanceof ObjectId) return idKey(value.id);
  if (value instanceof Date) return numberKey(value.getTime(), DATE);
  const number = numberOf(value);
  if (number !== undefined) return numberKey(number);
  return String.fromCharCode(rankOf(typeName(value))) + bodyOf(value);
}

/** The keys by which a path sorts a document: those of its elements if the path contains an array. */
export type PathKeys = { keys: string[]; many: boolean; missing: boolean };

export function keysAt(doc: Doc, parts: string[]): PathKeys {
  const direct = parts.length === 1 ? ownValue(doc, parts[0] ?? '') : undefined;
  if (parts.length === 1 && !Array.isArray(direct))
    return { keys: [keyOf(direct)], many: false, missing: direct === undefined };
  const keys = new Set<string>();
  let [many, missing] = [false, true];
  visitPath(doc, parts, (value, exact) => {
    missing &&= value === undefined;
    const isList = Array.isArray(value) && !exact;
    many ||= isList;
    if (!isList) keys.add(keyOf(value));
    else if (value.length === 0) keys.add(EMPTY_ARRAY_KEY);
    else for (const item of value) keys.add(keyOf(item));
    return false;
  });
  if (keys.size === 0) return { keys: [NULL_KEY], many: true, missing };
  return { keys: [...keys], many: many || keys.size > 1, missing };
}

/** The bounds of the keys of a value's type, within which range operators compare. */
export function typeBounds(value: unknown): [low: string, high: string] {
  const rank = keyOf(value).charAt(0);
  return [rank, rank + MAX_KEY_SUFFIX];
}

/** Inverts a key, for descending fields of a compound key. */
export function invert(key: string): string {
  let inverted = '';
  for (let i = 0; i < key.length; i++) inverted += String.fromCharCode(0xffff - key.charCodeAt(i));
  return inverted;
}

/** MongoDB's order of two values: negative, zero or positive. */
export function compare(a: unknown, b: unknown): number {
  const [left, right] = [keyOf(a), keyOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Whether two values are equal in MongoDB: 1 and 1.0 are, {a, b} and {b, a} are not. */
export const equal = (a: unknown, b: unknown) => a === b || keyOf(a) === keyOf(b);

export type SortField = { path: string; parts: string[]; descending: boolean };

/** Parses `{a: 1, 'b.c': -1}`. */
export function parseSort(sort: Doc): SortField[] {
  return Object.keys(sort).map((path) => {
    const direction = numberOf(sort[path]);
    if (path === '' || (direction !== 1 && direction !== -1))
      throw badValue('a sort takes fields and 1 or -1');
    return { path, parts: path.split('.'), descending: direction === -1 };
  });
}

/** The sort key of a document: of an array its minimum, or its maximum in descending order. */
function sortKey(doc: Doc, sort: SortField[], isDescending: boolean): string {
  let sortKey = '';
  for (const { parts, descending } of sort) {
    const { keys } = keysAt(doc, parts);
    const key = keys.length === 1 ? keys[0] : descending ? keys.sort().at(-1) : keys.sort()[0];
    sortKey += descending === isDescending ? key : invert(key ?? '');
  }
  return sortKey;
}

/** Sorts, and keeps only as many as wanted. */
export function sortBy<T>(items: T[], docOf: (item: T) => Doc, sort: SortField[], limit = Infinity): T[] {
  const isDescending = sort[0]?.descending === true;
  const order = isDescending ? -1 : 1;
  let keyed: { key: string; item: T }[] = [];
  let cutoffKey: string | undefined;
  const trim = () => {
    keyed = keyed.sort((a, b) => (a.key < b.key ? -order : a.key > b.key ? order : 0)).slice(0, limit);
    if (keyed.length === limit) cutoffKey = keyed.at(-1)?.key;
  };
  for (const item of items) {
    const key = sortKey(docOf(item), sort, isDescending);
    if (cutoffKey !== undefined && (isDescending ? key <= cutoffKey : key >= cutoffKey)) continue;
    keyed.push({ key, item });
    if (keyed.length >= 2 * limit + 1000) trim();
  }
  trim();
  return keyed.map(({ item }) => item);
}
