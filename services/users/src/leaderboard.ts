import {
  type LeaderboardPage,
  leaderboardPageSize,
  type OperationRequest,
  type Operations,
} from '@wayquest/contracts';
import { type Caller, Problem } from '@wayquest/platform/http';
import type { FriendshipReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import { profileModel } from './profile.model.ts';
import { presentPublic } from './profile.presenter.ts';

type LeaderboardQuery = OperationRequest<Operations['getLeaderboard']>['query'];

const podiumSize = 3;

/** To count many takes long, and of many nobody sees whether it is one more; of fewer it is counted each time. */
const many = 1_000;
const countAgainMs = 10_000;

/** The ranking by points; with equal points who was here first is ahead. */
export function createLeaderboard({ connection }: ServiceKit, friendships: FriendshipReplica) {
  const Profiles = profileModel(connection);

  const ranked = async (filter: object, skip: number, limit: number) => {
    const profiles = await Profiles.find(filter, { outbox: 0 })
      .sort({ points: -1, _id: 1 })
      .skip(skip)
      .limit(limit)
      .lean();
    return profiles.map((profile, index) => ({ ...presentPublic(profile), rank: skip + index + 1 }));
  };

  let counted = { total: 0, until: 0 };

  /** Counted, not estimated: the estimate may be wrong after a crash, and a page would be missing. */
  const countAll = async (): Promise<number> => {
    if (counted.total > many && performance.now() < counted.until) return counted.total;
    const total = await Profiles.countDocuments({});
    counted = { total, until: performance.now() + countAgainMs };
    return total;
  };

  return {
    /** A page past the end answers the last one. Throws `unauthenticated` for the friends of nobody. */
    async page(
      { page: asked = 1, scope = 'all' }: LeaderboardQuery,
      caller: Caller | undefined,
    ): Promise<LeaderboardPage> {
      if (scope === 'friends' && !caller) throw new Problem('unauthenticated');
      const friends =
        scope === 'friends' && caller ? [caller.id, ...(await friendships.friendsOf(caller.id))] : undefined;
      const filter = friends ? { _id: { $in: friends } } : {};
      const total = friends ? await Profiles.countDocuments(filter) : await countAll();
      const pages = Math.max(1, Math.ceil(total / leaderboardPageSize));
      const page = Math.min(asked, pages);
      const rows = await ranked(filter, (page - 1) * leaderboardPageSize, leaderboardPageSize);
      const podium = page === 1 ? rows.slice(0, podiumSize) : await ranked(filter, 0, podiumSize);
      return { podium, rows, page, pages, total };
    },
  };
}

export type Leaderboard = ReturnType<typeof createLeaderboard>;
