import { createClient } from '@wayquest/contracts';
import { type connectRedis, createRateLimiter } from '@wayquest/platform/redis';
import { createUserReplica } from '@wayquest/platform/replicas';
import {
  createService,
  defineService,
  type Service,
  type ServiceDeps,
  type Told,
} from '@wayquest/platform/service';
import { callHeaders } from '@wayquest/platform/telemetry';
import { createAskings } from './askings.ts';
import { createBlocks } from './blocks.ts';
import { consumers } from './consumers.ts';
import { createFriends } from './friends.ts';
import { inOrder } from './in-order.ts';
import { createPeople } from './people.ts';
import { routes } from './routes.ts';
import { settings } from './settings.ts';

export interface FriendsDeps extends ServiceDeps {
  /** Where users answers, asked for somebody whose event is not here yet. */
  usersUrl: () => string;
  /** Counts the requests for all instances together; in memory without it. */
  redis?: ReturnType<typeof connectRedis> | undefined;
  /** How many people one may ask in how many seconds. */
  requestLimit?: { points: number; seconds: number };
}

const defaultRequestLimit = { points: 60, seconds: 60 };

/** The whole friends service as a value. */
export const createFriendsService = ({
  usersUrl,
  redis,
  requestLimit = defaultRequestLimit,
  ...deps
}: FriendsDeps): Service =>
  createService('friends', deps, (kit) => {
    const users = createUserReplica(kit.connection);
    const usersClient = createClient({ baseUrl: usersUrl, headers: callHeaders, timeoutMs: 3_000 });
    const limiter = createRateLimiter(
      { name: 'friend-requests', problem: 'too-many-requests', ...requestLimit },
      redis,
    );
    const people = createPeople(users, usersClient);
    const blocks = createBlocks({ kit, people });
    const friends = createFriends({
      ...{ kit, people, blocks, requestLimiter: limiter, askings: createAskings(kit) },
    });
    return {
      routes: (http) => routes(http, friends, blocks),
      consumers: consumers(users),
      // Their ids are of one sequence.
      retell: (after) => inOrder<Told>(friends.retell(after), blocks.retell(after)),
      forget: { users: users.forget },
    };
  });

/** As it is run, alone or with the others. */
export const friendsService = defineService({
  name: 'friends',
  settings,
  asks: ['users'],
  fromSettings: ({ REDIS_URL }, { urlOf, redis, ...given }) =>
    createFriendsService({ ...given, usersUrl: () => urlOf('users'), redis: redis(REDIS_URL) }),
});
