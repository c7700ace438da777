import { createClient } from '@wayquest/contracts';
import { limits } from '@wayquest/platform/core';
import { createRateLimiter, type Redis } from '@wayquest/platform/redis';
import { createUserReplica } from '@wayquest/platform/replicas';
import {
  createService,
  defineService,
  mergeById,
  ownDataKind,
  type ReplayRecord,
  type Service,
  type ServiceDeps,
} from '@wayquest/platform/service';
import { limitSetting, redisUrlSetting } from '@wayquest/platform/settings';
import { callHeaders } from '@wayquest/platform/telemetry';
import { z } from 'zod';
import { blockModel, createBlocks } from './blocks.ts';
import { friendRequestModel, requestCooldownModel } from './friend-request.model.ts';
import { createFriends } from './friends.ts';
import { requestCooldowns } from './migrations.ts';
import { createPeople } from './people.ts';
import { createRequestCooldowns } from './request-cooldowns.ts';
import { routes } from './routes.ts';

/** Settings of the friends service, besides those of every service. */
const settings = z.object({
  REDIS_URL: redisUrlSetting,
  FRIEND_REQUESTS_PER_DAY: limitSetting(limits.friendRequestsPerDay),
});

export interface FriendsDeps extends ServiceDeps {
  /** The URL of the users service, which is called for people whose event has not arrived yet. */
  usersUrl: () => string;
  /** Counts the requests for all instances together; in memory without it. */
  redis?: Redis | undefined;
  /** How many people a person may send requests to in a day. */
  requestsPerDay?: number;
}

/** Creates the friends service. */
export const createFriendsService = ({
  usersUrl,
  redis,
  requestsPerDay = Number.MAX_SAFE_INTEGER,
  ...deps
}: FriendsDeps): Service =>
  createService('friends', deps, (kit) => {
    const users = createUserReplica(kit.connection, kit.clock);
    const usersClient = createClient({ baseUrl: usersUrl, headers: callHeaders, timeoutMs: 3_000 });
    const dailyLimiter = createRateLimiter({ ...limits.friendRequestsPerDay, max: requestsPerDay }, redis);
    const people = createPeople(users, usersClient);
    const blocks = createBlocks({
      ...{ kit, people, changeLimiter: createRateLimiter(limits.blockChanges, redis) },
    });
    const friends = createFriends({
      ...{
        kit,
        people,
        blocks,
        requestLimiter: createRateLimiter(limits.friendRequests, redis),
        dailyLimiter,
        cooldowns: createRequestCooldowns(kit),
      },
    });
    return {
      migrations: [requestCooldowns(kit)],
      routes: (http) => routes(http, friends, blocks),
      consumers: {
        'user.profile-changed.v1': users.apply,
        'points.awarded.v1': users.applyPoints,
        'points.revoked.v1': users.applyPoints,
      },
      ownData: [
        ownDataKind('friend-requests', friendRequestModel(kit.connection), (id) => [
          { userId: id, deletedAt: null },
          { friendId: id, deletedAt: null },
        ]),
        // Incoming blocks are not revealed.
        ownDataKind('blocks', blockModel(kit.connection), (userId) => ({ userId })),
        // Whether they were declined is not revealed.
        ownDataKind(
          'friend-request-cooldowns',
          requestCooldownModel(kit.connection),
          (id) => ({ _id: { $gte: `${id}:`, $lt: `${id};` } }),
          ({ _id, times }) => ({ friendId: Number(_id.split(':')[1]), times }),
        ),
      ],
      async erase(userId) {
        await Promise.all([friends, blocks, users].map((each) => each.erase(userId)));
      },
      // Their ids come from one sequence.
      snapshot: (after) => mergeById<ReplayRecord>(friends.snapshot(after), blocks.snapshot(after)),
      pruneStale: { users: users.pruneStale },
    };
  });

/** The service's definition, for a process of its own or with all others. */
export const friendsService = defineService({
  name: 'friends',
  settings,
  calls: ['users'],
  create: ({ REDIS_URL, FRIEND_REQUESTS_PER_DAY }, { urlOf, redis, ...deps }) =>
    createFriendsService({
      ...deps,
      usersUrl: () => urlOf('users'),
      requestsPerDay: FRIEND_REQUESTS_PER_DAY,
      redis: redis(REDIS_URL),
    }),
});
