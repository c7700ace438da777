import type { Model } from 'mongoose';
import type { ChallengeDocument } from '../challenge.model.ts';

const batch = 1_000;

/** All challenges by id, with the requested fields. */
export async function* pages<F extends keyof ChallengeDocument>(
  Challenges: Model<ChallengeDocument>,
  fields: readonly F[],
): AsyncGenerator<Pick<ChallengeDocument, '_id' | F>[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const found: Pick<ChallengeDocument, '_id' | F>[] = await Challenges.find({ _id: { $gt: after } })
      .select([...fields])
      .sort({ _id: 1 })
      .limit(batch)
      .lean();
    yield found;
    after = found.at(-1)?._id;
  }
}
