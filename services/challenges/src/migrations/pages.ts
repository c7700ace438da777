import { pagesById } from '@wayquest/platform/store';
import type { Model } from 'mongoose';
import type { ChallengeDocument } from '../challenge.model.ts';

const batch = 1_000;

/** All challenges by id, with the requested fields. */
export const pages = <F extends keyof ChallengeDocument>(
  Challenges: Model<ChallengeDocument>,
  fields: readonly F[],
): AsyncGenerator<Pick<ChallengeDocument, '_id' | F>[]> =>
  pagesById<Pick<ChallengeDocument, '_id' | F>>((after) =>
    Challenges.find(after)
      .select([...fields])
      .sort({ _id: 1 })
      .limit(batch)
      .lean(),
  );
