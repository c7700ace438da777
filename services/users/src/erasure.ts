import type { BlockReplica, FriendshipReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import type { Archives } from './archives.ts';
import { awardModel } from './award.model.ts';
import type { Ledger } from './ledger.ts';
import type { MonthlyScores } from './monthly-scores.ts';
import { pictureModel } from './picture.model.ts';
import { profileModel } from './profile.model.ts';
import type { RankingIndex } from './ranking-index.ts';

/** Deletes a user's profile, pictures, rankings and awards. */
export function createErasure({
  kit: { connection },
  rankingIndex,
  ledger,
  monthlyScores,
  archives,
  friendships,
  blocks,
}: {
  kit: Pick<ServiceKit, 'connection'>;
  rankingIndex: RankingIndex;
  ledger: Ledger;
  monthlyScores: MonthlyScores;
  archives: Archives;
  friendships: FriendshipReplica;
  blocks: BlockReplica;
}) {
  const Profiles = profileModel(connection);
  const Pictures = pictureModel(connection);
  const Awards = awardModel(connection);

  return async (userId: number): Promise<void> => {
    const profile = await Profiles.findOneAndDelete({ _id: userId }, { projection: { points: 1 } }).lean();
    // Some engines that speak MongoDB's protocol delete nothing where another client writes the document meanwhile.
    if (!profile) await Profiles.deleteMany({ _id: userId });
    // After a crash the ledger, which is deleted last, still has their points.
    const stood = new Set([profile?.points ?? 0, await ledger.pointsOf(userId)]);
    for (const points of stood) await rankingIndex.recount({ userId, points });
    await archives.erase(userId);
    await Pictures.deleteMany({ userId });
    await monthlyScores.erase(userId);
    await Awards.deleteMany({ userId });
    await friendships.erase(userId);
    await blocks.erase(userId);
  };
}
