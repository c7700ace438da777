import { redisUrlSetting, wholeNumber } from '@wayquest/platform/process';
import { z } from 'zod';

/** The service's own settings, beside the platform's. */
export const settings = z.object({
  REDIS_URL: redisUrlSetting,
  COMPLETIONS_PER_MINUTE: wholeNumber({ min: 1 })
    .default(20)
    .describe(
      'How many challenges one person may complete in a minute, and how often they may change notes and photos.',
    ),
  COMPLETIONS_PER_DAY: wholeNumber({ min: 1 })
    .default(100)
    .describe(
      'How many challenges one person may complete in a day, and how often they may change notes and photos.',
    ),
  PHOTOS_PER_HOUR: wholeNumber({ min: 1 })
    .default(20)
    .describe('How many photos of completed challenges one person may upload in an hour.'),
});
