import { CallError, createClient } from '@wayquest/contracts';
import { limits } from '@wayquest/platform/core';
import { createRateLimiter } from '@wayquest/platform/redis';
import {
  type BlockReplica,
  createBlockReplica,
  createFriendshipReplica,
  type FriendshipReplica,
} from '@wayquest/platform/replicas';
import {
  createOwnData,
  createService,
  defineService,
  ownDataKind,
  type Service,
  type ServiceDeps,
  type ServiceKit,
} from '@wayquest/platform/service';
import {
  defaultSite,
  limitSetting,
  redisUrlSetting,
  siteNameSetting,
  wholeNumber,
} from '@wayquest/platform/settings';
import { retryOnConflict } from '@wayquest/platform/store';
import { callHeaders } from '@wayquest/platform/telemetry';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { type AllTimeRanking, createAllTimeRanking } from './all-time-ranking.ts';
import { type Archives, createArchives } from './archives.ts';
import { createLeaderboard } from './leaderboard.ts';
import { awardModel, createLedger, type Ledger } from './ledger.ts';
import { awardNames, leaderboardsName, searchTokens, standardNames, townRankings } from './migrations.ts';
import { monthlyScoreModel } from './monthly-score.model.ts';
import { createMonthlyScores, type MonthlyScores } from './monthly-scores.ts';
import { createPictures, pictureModel } from './pictures.ts';
import { createPoints } from './points.ts';
import { profileModel } from './profile.model.ts';
import { createProfiles } from './profiles.ts';
import { createRankingIndexes } from './ranking-index.ts';
import { routes } from './routes.ts';
import { createTowns, type Towns } from './towns.ts';
import { createUserSearch } from './user-search.ts';

/** The service's own settings, beside the platform's. */
const settings = z.object({
  MAX_OWN_CHALLENGE_AWARDS_PER_DAY: wholeNumber({ min: 0 })
    .default(3)
    .describe('How many completions of their own challenges earn a person points per day.'),
  PAIR_POINTS_REVIEW_THRESHOLD: wholeNumber({ min: 0 })
    .default(300)
    .describe(
      'How many points two people can get from each other’s challenges per day. Further points await the review of an admin, and do not count in monthly rankings.',
    ),
  REDIS_URL: redisUrlSetting,
  ARCHIVES_PER_DAY: limitSetting(limits.archives),
  PICTURES_PER_HOUR: limitSetting(limits.pictures),
  SITE_NAME: siteNameSetting,
});

/** Deletes a user's profile, pictures, rankings and awards. */
function createErasure({
  kit: { connection },
  allTimeRanking,
  towns,
  ledger,
  monthlyScores,
  archives,
  friendships,
  blocks,
}: {
  kit: Pick<ServiceKit, 'connection'>;
  allTimeRanking: AllTimeRanking;
  towns: Towns;
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
    const profile = await retryOnConflict(async () => {
      const left = await towns.leave(userId);
      if (!left) return null;
      const { _id, pointsVersion = null } = left;
      const projection = { points: 1 };
      return (await Profiles.findOneAndDelete({ _id, pointsVersion }, { projection }).lean()) ?? undefined;
    });
    // After a crash the ledger, which is deleted last, still has their points.
    const formerPoints = new Set([profile?.points ?? 0, await ledger.pointsOf(userId)]);
    for (const points of formerPoints) await allTimeRanking.recount({ userId, points });
    await archives.erase(userId);
    await Pictures.deleteMany({ userId });
    await monthlyScores.erase(userId);
    await Awards.deleteMany({ userId });
    await friendships.erase(userId);
    await blocks.erase(userId);
  };
}

export interface UsersDeps extends ServiceDeps {
  /** URL of auth, called to change a username. */
  authUrl: () => string;
  /** URL of participation, called for a completion whose event has not arrived. */
  participationUrl: () => string;
  /** URLs of other services, called for the data archive only. */
  ownDataUrls: Record<'challenges' | 'friends' | 'chat' | 'notifications' | 'moderation', () => string>;
  /** How many of a user's own challenges earn points in a day. */
  ownChallengesPerDay: number;
  /** Points that two users can earn from each other in a day without a review. */
  pairPointsPerDay: number;
  /** Maximum picture uploads of a user per hour. */
  picturesPerHour: number;
  /** Maximum data archives of a user per day. */
  archivesPerDay: number;
  /** What the archive calls this installation. */
  siteName?: string;
  /** Redis for limits of all instances; in memory without it. */
  redis?: Redis | undefined;
}

/** Creates the users service. */
export const createUsersService = ({
  ownChallengesPerDay,
  pairPointsPerDay,
  picturesPerHour,
  archivesPerDay,
  siteName = defaultSite.name,
  redis,
  ...deps
}: UsersDeps): Service =>
  createService('users', deps, (kit) => {
    const clientOf = (baseUrl: () => string) =>
      createClient({ baseUrl, headers: callHeaders, timeoutMs: 3_000 });
    const friendships = createFriendshipReplica(kit.connection, kit.clock);
    const blocks = createBlockReplica(kit.connection);
    const ledger = createLedger(kit);
    const indexes = createRankingIndexes(kit);
    const allTimeRanking = createAllTimeRanking(kit, indexes);
    const monthlyScores = createMonthlyScores(kit, ledger, indexes);
    const towns = createTowns(kit, ledger, monthlyScores, indexes);
    const outbox = kit.outboxes.forModel(profileModel(kit.connection), { onRelay: allTimeRanking.apply });
    const authClient = clientOf(deps.authUrl);
    const changeLimiter = createRateLimiter(limits.profileChanges, redis);
    const profiles = createProfiles({
      ...{ kit, outbox, friendships, blocks, ledger, towns, authClient, changeLimiter },
    });
    const userSearch = createUserSearch({ kit, friendships, blocks });
    const limiter = createRateLimiter({ ...limits.pictures, max: picturesPerHour }, redis);
    const pictures = createPictures({ kit, profiles, limiter });
    const points = createPoints({
      kit,
      outbox,
      profiles,
      ledger,
      monthlyScores,
      towns,
      participation: clientOf(deps.participationUrl),
      ownPerDay: ownChallengesPerDay,
      pairPerDay: pairPointsPerDay,
    });
    const ownDataClients = {
      auth: authClient,
      participation: clientOf(deps.participationUrl),
      challenges: clientOf(deps.ownDataUrls.challenges),
      friends: clientOf(deps.ownDataUrls.friends),
      chat: clientOf(deps.ownDataUrls.chat),
      notifications: clientOf(deps.ownDataUrls.notifications),
      moderation: clientOf(deps.ownDataUrls.moderation),
    };
    const ownData = [
      ownDataKind(
        'profile',
        profileModel(kit.connection),
        (_id) => ({ _id }),
        ({ townIsMoving: _, townUncounted: __, appliedAwards: ___, ...profile }) => profile,
      ),
      ownDataKind(
        'points',
        awardModel(kit.connection),
        (userId) => ({ userId }),
        // Not exported: knowing the checks would help to evade them.
        ({ flagReason: _, soonAfterCreation: __, ...award }) => award,
      ),
      ownDataKind(
        'monthly-scores',
        monthlyScoreModel(kit.connection),
        (userId) => ({ userId }),
        ({ uncounted: _, ...score }) => score,
      ),
    ];
    const ownDataPages = createOwnData(ownData);

    const archives = createArchives({
      kit,
      blocks,
      sources: {
        users: (cursor, { id }) => ownDataPages(id, cursor),
        auth: (cursor, { token }) => ownDataClients.auth.listOwnAuthData({ query: { cursor } }, { token }),
        challenges: (cursor, { token }) =>
          ownDataClients.challenges.listOwnChallengesData({ query: { cursor } }, { token }),
        participation: (cursor, { token }) =>
          ownDataClients.participation.listOwnParticipationData({ query: { cursor } }, { token }),
        friends: (cursor, { token }) =>
          ownDataClients.friends.listOwnFriendsData({ query: { cursor } }, { token }),
        chat: (cursor, { token }) => ownDataClients.chat.listOwnChatData({ query: { cursor } }, { token }),
        notifications: (cursor, { token }) =>
          ownDataClients.notifications.listOwnNotificationsData({ query: { cursor } }, { token }),
        moderation: (cursor, { token }) =>
          ownDataClients.moderation.listOwnModerationData({ query: { cursor } }, { token }),
      },
      async photoOf({ participationId, name }, token) {
        try {
          const params = { id: participationId, photo: name };
          const file = await ownDataClients.participation.getOwnPhoto({ params }, { token });
          return new Uint8Array(await file.arrayBuffer());
        } catch (error) {
          if (error instanceof CallError && error.status === 404) return undefined;
          throw error;
        }
      },
      limiter: createRateLimiter({ ...limits.archives, max: archivesPerDay }, redis),
      siteName,
    });
    const leaderboard = createLeaderboard({ kit, allTimeRanking, monthlyScores, towns, friendships });
    return {
      migrations: [
        standardNames(kit),
        searchTokens(kit),
        awardNames(kit),
        townRankings(kit, towns),
        leaderboardsName(kit),
      ],
      async prepare() {
        await allTimeRanking.prepare();
        await monthlyScores.prepare();
        await towns.finishMoves();
      },
      routes: (http) =>
        routes(http, { profiles, userSearch, pictures, points, leaderboard, blocks, archives }),
      ownData,
      consumers: {
        'user.registered.v1': profiles.applyAccount,
        'user.account-changed.v1': profiles.applyAccount,
        'challenge.completed.v1': async ({ data }) => {
          await points.award(data);
        },
        'challenge.deleted.v1': async ({ data }) => {
          if (data.revokesPoints) await points.revokeAll(data);
        },
        'friend.requested.v1': friendships.applyRequested,
        'friend.accepted.v1': friendships.applyAccepted,
        'friend.removed.v1': friendships.applyRemoved,
        'user.blocked.v1': blocks.applyBlocked,
        'user.unblocked.v1': blocks.applyUnblocked,
      },
      erase: createErasure({
        ...{ kit, allTimeRanking, towns, ledger, monthlyScores, archives, friendships, blocks },
      }),
      snapshot: profiles.snapshot,
      background: {
        start: async () => archives.startTask(),
        stop: archives.stop,
        close: async () => {},
        ready: () => true,
      },
      pruneStale: {
        async friends(since) {
          await Promise.all([friendships.pruneStale(since), blocks.pruneStale(since)]);
        },
      },
    };
  });

/** How the service is created from its settings. */
export const usersService = defineService({
  name: 'users',
  settings,
  calls: ['auth', 'participation', 'challenges', 'friends', 'chat', 'notifications', 'moderation'],
  create: (
    {
      MAX_OWN_CHALLENGE_AWARDS_PER_DAY,
      PAIR_POINTS_REVIEW_THRESHOLD,
      PICTURES_PER_HOUR,
      ARCHIVES_PER_DAY,
      SITE_NAME,
      REDIS_URL,
    },
    { urlOf, redis, ...deps },
  ) =>
    createUsersService({
      ...deps,
      authUrl: () => urlOf('auth'),
      participationUrl: () => urlOf('participation'),
      ownChallengesPerDay: MAX_OWN_CHALLENGE_AWARDS_PER_DAY,
      pairPointsPerDay: PAIR_POINTS_REVIEW_THRESHOLD,
      ownDataUrls: {
        challenges: () => urlOf('challenges'),
        friends: () => urlOf('friends'),
        chat: () => urlOf('chat'),
        notifications: () => urlOf('notifications'),
        moderation: () => urlOf('moderation'),
      },
      picturesPerHour: PICTURES_PER_HOUR,
      archivesPerDay: ARCHIVES_PER_DAY,
      siteName: SITE_NAME,
      redis: redis(REDIS_URL),
    }),
});
