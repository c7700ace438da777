import {
  type LeaderboardPage,
  leaderboardPageSize,
  maxWithoutAccount,
  type OperationRequest,
  type Operations,
} from '@wayquest/contracts';
import { Problem } from '@wayquest/platform/core';
import type { FriendshipReplica } from '@wayquest/platform/replicas';
import type { ServiceKit } from '@wayquest/platform/service';
import type { Caller } from '@wayquest/platform/tokens';
import type { AllTimeRanking } from './all-time-ranking.ts';
import type { MonthlyScores } from './monthly-scores.ts';
import { presentPublic, privacyOf, profileModel, visibilityOf } from './profile.model.ts';
import { byRank, type Ranking, type RankPosition, rankingOf } from './ranking-index.ts';
import type { Towns } from './towns.ts';

type LeaderboardQuery = OperationRequest<Operations['getLeaderboard']>['query'];

const podiumSize = 3;

/** Leaderboards by points; ties are ordered by user id. */
export interface Leaderboard {
  /** A page, or the last one past the end, with all its positions, shown or not. Throws `unauthenticated`. */
  page(
    query: LeaderboardQuery,
    caller: Caller | undefined,
  ): Promise<LeaderboardPage & { positions: RankPosition[] }>;
}

/** Creates the queries for the leaderboard of all time, of a month, a town, or a person's friends. */
export function createLeaderboard({
  kit: { connection },
  allTimeRanking,
  monthlyScores,
  towns,
  friendships,
}: {
  kit: Pick<ServiceKit, 'connection'>;
  allTimeRanking: AllTimeRanking;
  monthlyScores: MonthlyScores;
  towns: Towns;
  friendships: FriendshipReplica;
}): Leaderboard {
  const Profiles = profileModel(connection);

  const rankingAmong = async (people: number[]): Promise<Ranking> => {
    const found = await Profiles.find({ _id: { $in: people } }, { points: 1 }).lean();
    return rankingOf(found.map(({ _id: userId, points }) => ({ userId, points })).sort(byRank));
  };

  /** Throws `unauthenticated` for friends or town without a caller. */
  const rankingFor = async (
    { scope, period }: Pick<LeaderboardQuery, 'scope' | 'period'>,
    caller: Caller | undefined,
  ): Promise<Ranking> => {
    const isMonthly = period === 'month';
    if (scope !== 'friends' && scope !== 'town')
      return isMonthly ? monthlyScores.ranking() : allTimeRanking.ranking();
    if (!caller) throw new Problem('unauthenticated');
    if (scope === 'town') {
      const town = await towns.of(caller.id);
      return isMonthly && town ? monthlyScores.ranking(town) : towns.ranking(town);
    }
    const people = [caller.id, ...(await friendships.friendsOf(caller.id))];
    return isMonthly ? monthlyScores.rankingAmong(people) : rankingAmong(people);
  };

  /** How many users are ranked before the requested page. Throws `unauthenticated` for `around` without a caller. */
  const startOf = async (
    { page = 1, cursor, around }: LeaderboardQuery,
    ranking: Ranking,
    caller: Caller | undefined,
  ): Promise<number> => {
    if (cursor) return ranking.countAhead({ ...cursor, userId: cursor.userId + 1 });
    if (!around) return (page - 1) * leaderboardPageSize;
    if (!caller) throw new Problem('unauthenticated');
    const ahead = await ranking.countAhead(await ranking.positionOf(caller.id));
    return ahead - (ahead % leaderboardPageSize);
  };

  /** Rows with ranks from 1. Users who opted out leave a gap, except for themselves. */
  const toRankedUsers = async (
    pages: { positions: RankPosition[]; skip: number }[],
    caller: Caller | undefined,
  ) => {
    const userIds = pages.flatMap(({ positions }) => positions.map(({ userId }) => userId));
    const found = await Profiles.find({ _id: { $in: userIds } }, { outbox: 0 }).lean();
    const visibleProfiles = found.filter(
      (profile) => profile._id === caller?.id || privacyOf(profile).leaderboards,
    );
    const readerOf = await friendships.readerOf(caller?.id, visibleProfiles.map(visibilityOf));
    const byId = new Map(
      visibleProfiles.map((profile) => [profile._id, presentPublic(profile, readerOf(profile._id))]),
    );
    return pages.map(({ positions, skip }) =>
      positions.flatMap(({ userId, points }, index) => {
        const user = byId.get(userId);
        return user ? { ...user, points, rank: skip + index + 1 } : [];
      }),
    );
  };

  return {
    async page(
      query: LeaderboardQuery,
      caller: Caller | undefined,
    ): Promise<LeaderboardPage & { positions: RankPosition[] }> {
      const ranking = await rankingFor(query, caller);
      const { total } = ranking;
      const visibleTotal = caller ? total : Math.min(total, maxWithoutAccount);
      const pages = Math.max(1, Math.ceil(visibleTotal / leaderboardPageSize));
      const requestedStart = await startOf(query, ranking, caller);
      if (query.cursor && requestedStart >= visibleTotal && requestedStart < total)
        throw new Problem('unauthenticated', { detail: 'Please log in to see more people.' });
      const start = query.cursor
        ? requestedStart
        : Math.min(requestedStart, (pages - 1) * leaderboardPageSize);
      const [top, positions] = await Promise.all([
        ranking.positions(0, podiumSize),
        ranking.positions(start, leaderboardPageSize),
      ]);
      const [podium = [], rows = []] = await toRankedUsers(
        [
          { positions: top, skip: 0 },
          { positions, skip: start },
        ],
        caller,
      );
      return {
        podium,
        rows,
        positions,
        page: Math.min(pages, Math.floor(start / leaderboardPageSize) + 1),
        pages,
        total,
      };
    },
  };
}
