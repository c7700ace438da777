import { redisUrlSetting, wholeNumber } from '@wayquest/platform/process';
import { z } from 'zod';

/** The service's own settings, beside the platform's. */
export const settings = z.object({
  MAX_OWN_CHALLENGE_AWARDS_PER_DAY: wholeNumber({ min: 0 })
    .default(3)
    .describe('How many challenges of one’s own earn points in a day.'),
  PAIR_POINTS_REVIEW_THRESHOLD: wholeNumber({ min: 0 })
    .default(300)
    .describe(
      'What two people can earn with each other’s challenges in a day before the rest waits for an admin’s look, off the boards of the month.',
    ),
  REDIS_URL: redisUrlSetting,
  ARCHIVES_PER_DAY: wholeNumber({ min: 1 })
    .default(3)
    .describe('How often one person may have all gathered that is held of them in a day.'),
  PICTURES_PER_HOUR: wholeNumber({ min: 1 })
    .default(10)
    .describe('How often one person may choose a new picture in an hour.'),
});
