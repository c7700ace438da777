import { connectRedis, runService, serviceSettings } from '@wayquest/platform';
import { z } from 'zod';
import { createFriendsService } from './service.ts';

const settings = serviceSettings.extend({ USERS_URL: z.url() });

await runService('friends', settings, (deps, { USERS_URL, REDIS_URL }) =>
  createFriendsService({
    ...deps,
    usersUrl: () => USERS_URL,
    redis: REDIS_URL ? connectRedis(REDIS_URL, deps.logger) : undefined,
  }),
);
