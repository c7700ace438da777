import type { Challenge, ChallengeOrder, Position } from '@wayquest/contracts';
import type { QueryFilter } from 'mongoose';
import type { ChallengeDocument } from './challenge.model.ts';

type Filter = QueryFilter<ChallengeDocument>;

interface Order {
  sort: Record<string, 1 | -1>;
  /** The index for this order. */
  index: Record<string, 1 | -1>;
  /** The cursor after a challenge. */
  cursorOf(last: Challenge): string | number;
  /** Filter for what follows a cursor. */
  after(cursor: string): Filter;
}

/** An order by a field, ties newest first; a cursor is the field and the id. */
function byField<T extends string | number>(
  field: 'endDate' | 'participants',
  direction: 1 | -1,
  read: (text: string) => T,
): Order {
  const sort = { [field]: direction, _id: -1 } as const;
  return {
    sort,
    index: sort,
    cursorOf: (last) => `${last[field]}:${last.id}`,
    after(cursor) {
      const [text = '', id] = cursor.split(':');
      const value = read(text);
      const afterValue = direction === 1 ? { $gt: value } : { $lt: value };
      return { $or: [{ [field]: afterValue }, { [field]: value, _id: { $lt: Number(id) || 0 } }] };
    },
  };
}

/**
 * The order of a list: the chosen one, or nearest first around a position. `nearest` needs a position; without one the
 * order is `newest`.
 */
export function orderOf({ sort, near }: { sort?: ChallengeOrder; near?: Position }): ChallengeOrder {
  if (sort && sort !== 'nearest') return sort;
  return near ? 'nearest' : 'newest';
}

/** The orders of a list by a field. */
export const orders: Record<Exclude<ChallengeOrder, 'nearest'>, Order> = {
  newest: {
    sort: { _id: -1 },
    index: { _id: 1 },
    cursorOf: ({ id }) => id,
    after: (cursor) => ({ _id: { $lt: Number(cursor) || 0 } }),
  },
  ending: byField('endDate', 1, String),
  joined: byField('participants', -1, (text) => Number(text) || 0),
};
