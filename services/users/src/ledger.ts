import type { ServiceKit } from '@wayquest/platform/service';
import type { QueryFilter } from 'mongoose';
import { type AwardDocument, awardModel } from './award.model.ts';

/** What lines of the ledger come to; what was taken back counts nothing. */
export function createLedger({ connection }: Pick<ServiceKit, 'connection'>) {
  const Awards = awardModel(connection);

  const sumOf = async (which: QueryFilter<AwardDocument>): Promise<number> => {
    const [sum] = await Awards.aggregate<{ points: number }>([
      { $match: which },
      { $group: { _id: null, points: { $sum: '$points' } } },
    ]);
    return sum?.points ?? 0;
  };

  return {
    sumOf,
    /** All that a person was awarded. */
    pointsOf: (userId: number): Promise<number> => sumOf({ userId }),
  };
}

export type Ledger = ReturnType<typeof createLedger>;
