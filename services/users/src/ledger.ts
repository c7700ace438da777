import type { ServiceKit } from '@wayquest/platform/service';
import { awardModel } from './award.model.ts';

/** The sum of what each person was ever awarded, without what was taken back. */
export function createLedger({ connection }: Pick<ServiceKit, 'connection'>) {
  const Awards = awardModel(connection);
  return {
    async pointsOf(userId: number): Promise<number> {
      const [sum] = await Awards.aggregate<{ points: number }>([
        { $match: { userId } },
        { $group: { _id: null, points: { $sum: '$points' } } },
      ]);
      return sum?.points ?? 0;
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;
