import { createClient } from '@wayquest/contracts';
import { limits } from '@wayquest/platform/core';
import { createQuota, type Quota } from '@wayquest/platform/redis';
import { createBlockReplica } from '@wayquest/platform/replicas';
import {
  createService,
  defineService,
  ownDataKind,
  type Service,
  type ServiceDeps,
} from '@wayquest/platform/service';
import { limitSetting, redisUrlSetting } from '@wayquest/platform/settings';
import { callHeaders } from '@wayquest/platform/telemetry';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { createAbilities } from './abilities.ts';
import { challengeModel } from './challenge.model.ts';
import { createChallengeQueries } from './challenge-queries.ts';
import { createChallenges } from './challenges.ts';
import { countTiles, guessPlaceCategories, searchTokens } from './migrations.ts';
import { routes } from './routes.ts';
import { createTileCounts } from './tile-counts.ts';
import { createDayRollover, createTimeZones, defaultRolloverEveryMs } from './time-zones.ts';

/** Settings of the challenges service, besides those of every service. */
const settings = z.object({
  REDIS_URL: redisUrlSetting,
  CHALLENGES_PER_MINUTE: limitSetting(limits.challengesPerMinute, limits.changesPerMinute),
  CHALLENGES_PER_DAY: limitSetting(limits.challengesPerDay, limits.changesPerDay),
});

export interface ChallengesDeps extends ServiceDeps {
  /** The URL of the places service, which is called for the suggestion that a challenge is created from. */
  placesUrl: () => string;
  /** Quota of created challenges, and of changes. */
  allowances: Quota;
  /** Counts them for all instances together; in memory without it. */
  redis?: Redis | undefined;
  /** Milliseconds between two checks for a new day. */
  rolloverEveryMs?: number;
}

/** Creates the challenges service. */
export const createChallengesService = ({
  placesUrl,
  allowances,
  redis,
  rolloverEveryMs = defaultRolloverEveryMs,
  ...deps
}: ChallengesDeps): Service =>
  createService('challenges', deps, (kit) => {
    const timeZones = createTimeZones(kit);
    const tileCounts = createTileCounts(kit, timeZones);
    const countCreated = createQuota('challenges', allowances, redis);
    const countChanged = createQuota('changes', allowances, redis);
    // It may have to wait for an external server.
    const places = createClient({ baseUrl: placesUrl, headers: callHeaders, timeoutMs: 9_000 });
    const blocks = createBlockReplica(kit.connection);
    const abilities = createAbilities(kit, blocks);
    const challenges = createChallenges({
      ...{ kit, timeZones, tileCounts, abilities, places, countCreated, countChanged },
    });
    const queries = createChallengeQueries({ kit, tileCounts, timeZones });
    return {
      migrations: [searchTokens(kit), guessPlaceCategories(kit), countTiles(kit, { tileCounts, timeZones })],
      routes: (http) => routes(http, { challenges, queries, abilities }),
      consumers: {
        'challenge.located.v1': ({ data }) => challenges.locate(data.challengeId, data.position),
        'challenge.town-found.v1': ({ data }) => challenges.applyTowns(data.challengeId, data.towns),
        'moderation.decided.v1': challenges.applyDecision,
        'challenge.joined.v1': challenges.applyJoined,
        'challenge.left.v1': challenges.applyLeft,
        'challenge.picture-changed.v1': challenges.applyPicture,
        'user.profile-changed.v1': challenges.renameCreator,
        'user.blocked.v1': blocks.applyBlocked,
        'user.unblocked.v1': blocks.applyUnblocked,
      },
      ownData: [
        ownDataKind('challenges', challengeModel(kit.connection), (id) => ({
          'creator.id': id,
          deletedAt: null,
        })),
      ],
      async erase(userId) {
        await Promise.all([challenges.erase(userId), blocks.erase(userId)]);
      },
      snapshot: challenges.snapshot,
      pruneStale: {
        async participation(since) {
          await challenges.pruneStaleMemberships(since);
          await challenges.pruneStalePictures(since);
        },
        users: challenges.pruneStaleCreators,
        friends: blocks.pruneStale,
      },
      background: createDayRollover({
        ...{ kit, challenges, tileCounts, timeZones },
        everyMs: rolloverEveryMs,
      }),
    };
  });

/** The service's definition, for a process of its own or with all others. */
export const challengesService = defineService({
  name: 'challenges',
  settings,
  calls: ['places'],
  create: (
    { REDIS_URL, CHALLENGES_PER_MINUTE, CHALLENGES_PER_DAY },
    { urlOf, redis, ...deps },
    tuning?: ChallengesTuning,
  ) =>
    createChallengesService({
      ...deps,
      ...tuning,
      placesUrl: () => urlOf('places'),
      allowances: { perMinute: CHALLENGES_PER_MINUTE, perDay: CHALLENGES_PER_DAY },
      redis: redis(REDIS_URL),
    }),
});

/** Options that tests set. */
export type ChallengesTuning = Pick<ChallengesDeps, 'rolloverEveryMs'>;
