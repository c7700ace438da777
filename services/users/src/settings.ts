import { limits } from '@wayquest/platform/core';
import { limitSetting, redisUrlSetting, wholeNumber } from '@wayquest/platform/process';
import { z } from 'zod';

/** The service's own settings, beside the platform's. */
export const settings = z.object({
  MAX_OWN_CHALLENGE_AWARDS_PER_DAY: wholeNumber({ min: 0 })
    .default(3)
    .describe('For how many completions of their own challenges a person gets points per day.'),
  PAIR_POINTS_REVIEW_THRESHOLD: wholeNumber({ min: 0 })
    .default(300)
    .describe(
      'How many points two people can get from each other’s challenges per day. Further points await the review of an admin, and do not count in monthly rankings.',
    ),
  REDIS_URL: redisUrlSetting,
  ARCHIVES_PER_DAY: limitSetting(limits.archives),
  PICTURES_PER_HOUR: limitSetting(limits.pictures),
});
