import type { OwnData } from '@wayquest/contracts';
import { type Model, type QueryFilter, Error as StoreError } from 'mongoose';
import { Problem } from '../core/problem.ts';

type StoredRecord = Record<string, unknown>;

/** One kind of a user's data in a service. */
export interface OwnDataKind {
  kind: string;
  /** A page of a user's records, ordered by id, after one of them. */
  page(userId: number, after: string | number | undefined, limit: number): Promise<StoredRecord[]>;
}

/** Technical fields, which an export omits. */
const internalFields = [
  '__v',
  'outbox',
  'outboxDueAt',
  'outboxClaim',
  'outboxAttempts',
  'version',
  'lastEventAt',
  // Search tokens.
  'words',
];

const withoutInternalFields = (document: StoredRecord): StoredRecord =>
  Object.fromEntries(Object.entries(document).filter(([key]) => !internalFields.includes(key)));

/**
 * The documents of a user in a collection. Several filters are separate queries, so that each uses its own index: a
 * combined one would scan the collection by id. `toExport` omits what the user is not shown; `_id` always remains.
 */
export function ownDataKind<T extends { _id: string | number }>(
  kind: string,
  typed: Model<T>,
  filterOf: (userId: number) => object | object[] | Promise<object>,
  toExport: (document: T) => object = (document) => document,
): OwnDataKind {
  return {
    kind,
    async page(userId, after, limit) {
      const filters = [await filterOf(userId)].flat();
      const found = await Promise.all(
        filters.map((own) =>
          typed
            .find({ $and: [own, after === undefined ? {} : { _id: { $gt: after } }] } as QueryFilter<T>)
            .sort({ _id: 1 })
            .limit(limit)
            .lean<T[]>(),
        ),
      );
      const byId = new Map(found.flat().map((document) => [document._id, document]));
      const page = [...byId.values()].sort((one, other) => (one._id < other._id ? -1 : 1)).slice(0, limit);
      return page.map((document) => withoutInternalFields({ ...toExport(document), _id: document._id }));
    },
  };
}

/** Page size. */
const batchSize = 200;

/** A service's data of a user: one kind after the other, page by page. */
export const createOwnData =
  (kinds: readonly OwnDataKind[]) =>
  async (userId: number, cursor?: string): Promise<OwnData> => {
    const [kindIndex = '0', after] = cursor?.split('~', 2) ?? [];
    const index = Number(kindIndex);
    const { kind, page } = kinds[index] ?? {};
    if (!kind || !page) return { records: [] };
    const found = await page(userId, after && (/^\d+$/.test(after) ? Number(after) : after), batchSize).catch(
      (error: unknown) => {
        // Not an id of this kind.
        if (!(error instanceof StoreError.CastError)) throw error;
        const reason = 'must be a cursor from a previous response';
        throw new Problem('invalid-request', { errors: [{ field: 'cursor', reason }], cause: error });
      },
    );
    const last = found.length === batchSize ? found.at(-1)?._id : undefined;
    const next = last === undefined ? `${index + 1}` : `${index}~${last}`;
    const isLast = last === undefined && index + 1 === kinds.length;
    return {
      records: found.map(({ _id: id, ...data }) => ({ kind, data: { id, ...data } })),
      ...(!isLast && { next }),
    };
  };
