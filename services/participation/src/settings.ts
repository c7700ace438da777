import { limits } from '@wayquest/platform/core';
import { limitSetting, redisUrlSetting } from '@wayquest/platform/process';
import { z } from 'zod';

/** The service's own settings, beside the platform's. */
export const settings = z.object({
  REDIS_URL: redisUrlSetting,
  COMPLETIONS_PER_MINUTE: limitSetting(limits.completionsPerMinute, limits.logChangesPerMinute),
  COMPLETIONS_PER_DAY: limitSetting(limits.completionsPerDay, limits.logChangesPerDay),
  PHOTOS_PER_HOUR: limitSetting(limits.photos),
});
