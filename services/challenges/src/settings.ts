import { limits } from '@wayquest/platform/core';
import { limitSetting, redisUrlSetting } from '@wayquest/platform/process';
import { z } from 'zod';

/** Settings of the challenges service, besides those of every service. */
export const settings = z.object({
  REDIS_URL: redisUrlSetting,
  CHALLENGES_PER_MINUTE: limitSetting(limits.challengesPerMinute, limits.changesPerMinute),
  CHALLENGES_PER_DAY: limitSetting(limits.challengesPerDay, limits.changesPerDay),
});
