import {
  type LeaderboardPage,
  leaderboardPageSize,
  maxForVisitors,
  type OperationRequest,
  type Operations,
} from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import type { Caller } from '@wayquest/platform/http';
import type { FriendshipReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import type { Standing } from './board.model.ts';
import { type Board, byStanding, type Ranking, rankingOf } from './board.ts';
import type { Months } from './months.ts';
import { profileModel } from './profile.model.ts';
import { presentPublic, privacyOf, shownToOf } from './profile.presenter.ts';
import type { Towns } from './towns.ts';

type LeaderboardQuery = OperationRequest<Operations['getLeaderboard']>['query'];

const podiumSize = 3;

/** The ranking by points; with equal points who was here first is ahead. */
export function createLeaderboard({
  kit: { connection },
  board,
  months,
  towns,
  friendships,
}: {
  kit: Pick<ServiceKit, 'connection'>;
  board: Board;
  months: Months;
  towns: Towns;
  friendships: FriendshipReplica;
}) {
  const Profiles = profileModel(connection);

  const amongFriends = async (people: number[]): Promise<Ranking> => {
    const found = await Profiles.find({ _id: { $in: people } }, { points: 1 }).lean();
    return rankingOf(found.map(({ _id: userId, points }) => ({ userId, points })).sort(byStanding));
  };

  /** Throws `unauthenticated` for the friends, or the town, of nobody. */
  const rankingFor = async (
    { scope, period }: Pick<LeaderboardQuery, 'scope' | 'period'>,
    caller: Caller | undefined,
  ): Promise<Ranking> => {
    const isOfMonth = period === 'month';
    if (scope !== 'friends' && scope !== 'town') return isOfMonth ? months.ranking() : board.ranking();
    if (!caller) throw new Problem('unauthenticated');
    if (scope === 'town') {
      const town = await towns.of(caller.id);
      return isOfMonth && town ? months.ranking(town) : towns.ranking(town);
    }
    const people = [caller.id, ...(await friendships.friendsOf(caller.id))];
    return isOfMonth ? months.rankingAmong(people) : amongFriends(people);
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
    const ahead = await ranking.ahead(await ranking.standingOf(caller.id));
    return ahead - (ahead % leaderboardPageSize);
  };

  /** People where they stand, with their ranks from one on; who is on no board leaves a gap, but to themselves. */
  const ranked = async (pages: { standings: Standing[]; skip: number }[], caller: Caller | undefined) => {
    const wanted = pages.flatMap(({ standings }) => standings.map(({ userId }) => userId));
    const found = await Profiles.find({ _id: { $in: wanted } }, { outbox: 0 }).lean();
    const seen = found.filter((profile) => profile._id === caller?.id || privacyOf(profile).boards);
    const readerOf = await friendships.readerOf(caller?.id, seen.map(shownToOf));
    const byId = new Map(seen.map((profile) => [profile._id, presentPublic(profile, readerOf(profile._id))]));
    return pages.map(({ standings, skip }) =>
      standings.flatMap(({ userId, points }, index) => {
        const user = byId.get(userId);
        return user ? { ...user, points, rank: skip + index + 1 } : [];
      }),
    );
  };

  return {
    /** A page past the end answers the last one, and who stands on it, seen or not. Throws `unauthenticated`. */
    async page(
      query: LeaderboardQuery,
      caller: Caller | undefined,
    ): Promise<LeaderboardPage & { standings: Standing[] }> {
      const ranking = await rankingFor(query, caller);
      const { total } = ranking;
      const shown = caller ? total : Math.min(total, maxForVisitors);
      const pages = Math.max(1, Math.ceil(shown / leaderboardPageSize));
      const wanted = await startOf(query, ranking, caller);
      if (query.cursor && wanted >= shown && wanted < total)
        throw new Problem('unauthenticated', { detail: 'Please log in to see more people.' });
      const start = query.cursor ? wanted : Math.min(wanted, (pages - 1) * leaderboardPageSize);
      const [top, standings] = await Promise.all([
        ranking.standings(0, podiumSize),
        ranking.standings(start, leaderboardPageSize),
      ]);
      const [podium = [], rows = []] = await ranked(
        [
          { standings: top, skip: 0 },
          { standings, skip: start },
        ],
        caller,
      );
      return {
        podium,
        rows,
        standings,
        page: Math.min(pages, Math.floor(start / leaderboardPageSize) + 1),
        pages,
        total,
      };
    },
  };
}

export type Leaderboard = ReturnType<typeof createLeaderboard>;
