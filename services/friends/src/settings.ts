import { limits } from '@wayquest/platform/core';
import { limitSetting, redisUrlSetting } from '@wayquest/platform/process';
import { z } from 'zod';

/** Settings of the friends service, besides those of every service. */
export const settings = z.object({
  REDIS_URL: redisUrlSetting,
  FRIEND_REQUESTS_PER_DAY: limitSetting(limits.friendRequestsPerDay),
});
