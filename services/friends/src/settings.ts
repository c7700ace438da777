import { redisUrlSetting, wholeNumber } from '@wayquest/platform/process';
import { z } from 'zod';

/** Settings of the friends service, besides those of every service. */
export const settings = z.object({
  REDIS_URL: redisUrlSetting,
  FRIEND_REQUESTS_PER_DAY: wholeNumber({ min: 1 })
    .default(200)
    .describe('How many people one person may ask to be friends in a day.'),
});
