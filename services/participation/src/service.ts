import { createClient } from '@wayquest/contracts';
import { limits } from '@wayquest/platform/core';
import { createQuota, createRateLimiter, type Quota } from '@wayquest/platform/redis';
import {
  createBlockReplica,
  createChallengeReplica,
  createFriendshipReplica,
  createUserReplica,
} from '@wayquest/platform/replicas';
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
import { createCompletions } from './completions.ts';
import { createLog } from './log.ts';
import { challengePictures, flagReasonName, participationNames, trailVisibility } from './migrations.ts';
import { participationModel } from './participation.model.ts';
import { createParticipationLists } from './participation-lists.ts';
import { createParticipations } from './participations.ts';
import { createChallengePictures } from './pictures.ts';
import { routes } from './routes.ts';
import { createThanks, thanksModel } from './thanks.ts';
import { createTrailBooks, createTrailMaps, trailMapModel } from './trail-book.ts';
import { createVisibleParticipations } from './visible-participations.ts';

/** The service's own settings, beside the platform's. */
const settings = z.object({
  REDIS_URL: redisUrlSetting,
  COMPLETIONS_PER_MINUTE: limitSetting(limits.completionsPerMinute, limits.logChangesPerMinute),
  COMPLETIONS_PER_DAY: limitSetting(limits.completionsPerDay, limits.logChangesPerDay),
  PHOTOS_PER_HOUR: limitSetting(limits.photos),
});

export interface ParticipationDeps extends ServiceDeps {
  /** URL of challenges, called for a challenge whose event has not arrived yet. */
  challengesUrl: () => string;
  /** Limits of completions, and of changes of notes and photos. */
  allowances: Quota;
  /** Maximum photos of a user per hour. */
  photosPerHour: number;
  /** Redis for limits of all instances; in memory without it. */
  redis?: Redis | undefined;
}

/** Creates the participation service. */
export const createParticipationService = ({
  challengesUrl,
  allowances,
  photosPerHour,
  redis,
  ...deps
}: ParticipationDeps): Service =>
  createService('participation', deps, (kit) => {
    const challengesClient = createClient({
      baseUrl: challengesUrl,
      headers: callHeaders,
      timeoutMs: 3_000,
    });
    const challengeReplica = createChallengeReplica(kit.connection, challengesClient, kit.clock);
    const userReplica = createUserReplica(kit.connection, kit.clock);
    const blocks = createBlockReplica(kit.connection);
    const friendships = createFriendshipReplica(kit.connection, kit.clock);
    const visibleParticipations = createVisibleParticipations({
      ...{ challengeReplica, userReplica, friendships, blocks },
    });
    const thanks = createThanks(kit);
    const pictures = createChallengePictures({ kit, challengeReplica, userReplica, blocks });
    const participations = createParticipations({
      ...{ kit, challengeReplica, userReplica, visibleParticipations, pictures, thanks },
    });
    const completions = createCompletions({
      ...{ kit, challengeReplica, participations },
      countCompleted: createQuota('completions', allowances, redis),
    });
    const lists = createParticipationLists({
      ...{ kit, userReplica, friendships, blocks, visibleParticipations },
    });
    const log = createLog({
      ...{ kit, visibleParticipations, lists, blocks, pictures, thanks },
      countChange: createQuota('logChanges', allowances, redis),
      photoLimiter: createRateLimiter({ ...limits.photos, max: photosPerHour }, redis),
    });
    const trailMaps = createTrailMaps({ kit, friendships });
    const trailBooks = createTrailBooks({ kit, challengeReplica, maps: trailMaps });
    return {
      migrations: [
        trailVisibility(kit),
        participationNames(kit),
        flagReasonName(kit),
        challengePictures(kit, pictures),
      ],
      routes: (http) =>
        routes(http, {
          ...{ participations, completions, lists, log, pictures, challengeReplica, trailBooks, trailMaps },
        }),
      consumers: {
        'report.filed.v1': log.applyReport,
        'moderation.decided.v1': log.applyDecision,
        'challenge.created.v1': challengeReplica.apply,
        'challenge.updated.v1': challengeReplica.apply,
        'challenge.deleted.v1': participations.removeAll,
        'user.profile-changed.v1': async (event) => {
          await userReplica.apply(event);
          await pictures.refreshOf(event.data.user.id);
        },
        'points.awarded.v1': userReplica.applyPoints,
        'points.revoked.v1': userReplica.applyPoints,
        'friend.accepted.v1': friendships.applyAccepted,
        'friend.removed.v1': friendships.applyRemoved,
        'user.blocked.v1': async (event) => {
          await blocks.applyBlocked(event);
          await pictures.refreshBetween(event);
          await thanks.removeBetween(event.data);
        },
        'user.unblocked.v1': async (event) => {
          await blocks.applyUnblocked(event);
          await pictures.refreshBetween(event);
        },
      },
      ownData: [
        ownDataKind(
          'participations',
          participationModel(kit.connection),
          (userId) => ({ userId, deletedAt: null }),
          // Photos are separate files, referenced by name.
          ({ flagReason: _, decision: __, reported: ___, ...shown }) => shown,
        ),
        ownDataKind('thanks', thanksModel(kit.connection), (userId) => ({ userId })),
        ownDataKind('trail-map', trailMapModel(kit.connection), (_id) => ({ _id })),
      ],
      async erase(userId) {
        const all = [participations, thanks, trailMaps, challengeReplica, userReplica, friendships, blocks];
        await Promise.all(all.map((each) => each.erase(userId)));
      },
      snapshot: participations.snapshot,
      pruneStale: {
        challenges: challengeReplica.pruneStale,
        users: userReplica.pruneStale,
        async friends(since) {
          await Promise.all([friendships.pruneStale(since), blocks.pruneStale(since)]);
        },
      },
    };
  });

/** How the service is created from its settings. */
export const participationService = defineService({
  name: 'participation',
  settings,
  calls: ['challenges'],
  create: (
    { REDIS_URL, COMPLETIONS_PER_MINUTE, COMPLETIONS_PER_DAY, PHOTOS_PER_HOUR },
    { urlOf, redis, ...deps },
  ) =>
    createParticipationService({
      ...deps,
      challengesUrl: () => urlOf('challenges'),
      allowances: { perMinute: COMPLETIONS_PER_MINUTE, perDay: COMPLETIONS_PER_DAY },
      photosPerHour: PHOTOS_PER_HOUR,
      redis: redis(REDIS_URL),
    }),
});
