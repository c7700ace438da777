import { createClient } from '@wayquest/contracts';
import {
  callHeaders,
  type connectRedis,
  createRateLimiter,
  createService,
  createUserReplica,
  type Service,
  type ServiceDeps,
} from '@wayquest/platform';
import { consumers } from './consumers.ts';
import { createFriends } from './friends.ts';
import { createPeople } from './people.ts';
import { routes } from './routes.ts';

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
    const friends = createFriends(kit, createPeople(users, usersClient), limiter);
    return {
      routes: (http) => routes(http, friends),
      consumers: consumers(users),
      retell: friends.retell,
    };
  });
