import {
  type LeaderboardPage,
  leaderboardPageSize,
  mostForVisitors,
  type OperationRequest,
  type Operations,
} from '@wayquest/contracts';
import { type Caller, Problem } from '@wayquest/platform/http';
import type { FriendshipReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import { type Board, byStanding, type Ranking } from './board.ts';
import { profileModel } from './profile.model.ts';
import { presentPublic } from './profile.presenter.ts';

type LeaderboardQuery = OperationRequest<Operations['getLeaderboard']>['query'];

const podiumSize = 3;

/** The ranking by points; with equal points who was here first is ahead. */
export function createLeaderboard({
  kit: { connection },
  board,
  friendships,
}: {
  kit: Pick<ServiceKit, 'connection'>;
  board: Board;
  friendships: FriendshipReplica;
}) {
  const Profiles = profileModel(connection);

  const amongFriends = async ({ id }: Caller): Promise<Ranking> => {
    const people = [id, ...(await friendships.friendsOf(id))];
    const found = await Profiles.find({ _id: { $in: people } }, { points: 1 }).lean();
    const ranking = found.map(({ _id, points }) => ({ userId: _id, points })).sort(byStanding);
    return {
      total: ranking.length,
      ahead: async (of) => ranking.filter((standing) => byStanding(standing, of) < 0).length,
      ids: async (skip, limit) => ranking.slice(skip, skip + limit).map(({ userId }) => userId),
    };
  };

  /** Throws `unauthenticated` for the friends of nobody. */
  const rankingOf = (scope: LeaderboardQuery['scope'], caller: Caller | undefined): Promise<Ranking> => {
    if (scope !== 'friends') return board.ranking();
    if (!caller) throw new Problem('unauthenticated');
    return amongFriends(caller);
  };

  /** How many stand before the page that is asked for. Throws `unauthenticated` for where nobody is. */
  const startOf = async (
    { page = 1, cursor, around }: LeaderboardQuery,
    ranking: Ranking,
    caller: Caller | undefined,
  ): Promise<number> => {
    if (cursor) return ranking.ahead({ ...cursor, userId: cursor.userId + 1 });
    if (!around) return (page - 1) * leaderboardPageSize;
    if (!caller) throw new Problem('unauthenticated');
    const { id: userId } = caller;
    const profile = await Profiles.findById(userId, { points: 1 }).lean();
    const ahead = await ranking.ahead({ userId, points: profile?.points ?? 0 });
    return ahead - (ahead % leaderboardPageSize);
  };

  /** Profiles by their ids, with their ranks from one on. */
  const ranked = async (pages: { ids: number[]; skip: number }[]) => {
    const wanted = pages.flatMap(({ ids }) => ids);
    const found = await Profiles.find({ _id: { $in: wanted } }, { outbox: 0 }).lean();
    const byId = new Map(found.map((profile) => [profile._id, presentPublic(profile)]));
    return pages.map(({ ids, skip }) =>
      ids.flatMap((id, index) => {
        const user = byId.get(id);
        return user ? { ...user, rank: skip + index + 1 } : [];
      }),
    );
  };

  return {
    /** A page past the end answers the last one. Throws `unauthenticated`. */
    async page(query: LeaderboardQuery, caller: Caller | undefined): Promise<LeaderboardPage> {
      const ranking = await rankingOf(query.scope, caller);
      const { total } = ranking;
      const shown = caller ? total : Math.min(total, mostForVisitors);
      const pages = Math.max(1, Math.ceil(shown / leaderboardPageSize));
      const wanted = await startOf(query, ranking, caller);
      if (query.cursor && wanted >= shown && wanted < total)
        throw new Problem('unauthenticated', { detail: 'Please log in to see more people.' });
      const start = query.cursor ? wanted : Math.min(wanted, (pages - 1) * leaderboardPageSize);
      const [top, ids] = await Promise.all([
        ranking.ids(0, podiumSize),
        ranking.ids(start, leaderboardPageSize),
      ]);
      const [podium = [], rows = []] = await ranked([
        { ids: top, skip: 0 },
        { ids, skip: start },
      ]);
      return {
        podium,
        rows,
        page: Math.min(pages, Math.floor(start / leaderboardPageSize) + 1),
        pages,
        total,
      };
    },
  };
}

export type Leaderboard = ReturnType<typeof createLeaderboard>;
