import { redisUrlSetting, wholeNumber } from '@wayquest/platform/process';
import { z } from 'zod';

/** Settings of the challenges service, besides those of every service. */
export const settings = z.object({
  REDIS_URL: redisUrlSetting,
  CHALLENGES_PER_MINUTE: wholeNumber({ min: 1 })
    .default(20)
    .describe('How many challenges one person may make in a minute, and how often they may change one.'),
  CHALLENGES_PER_DAY: wholeNumber({ min: 1 })
    .default(100)
    .describe('How many challenges one person may make in a day, and how often they may change one.'),
});
