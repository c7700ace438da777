import { badValue } from './errors.ts';
import { invert, keysAt } from './order.ts';
import { type Doc, numberOf } from './values.ts';

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
