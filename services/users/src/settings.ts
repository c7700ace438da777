import { wholeNumber } from '@wayquest/platform/process';
import { z } from 'zod';

/** What the users service is told, beside what every service is. */
export const settings = z.object({
  OWN_CHALLENGES_PER_DAY: wholeNumber({ min: 0 })
    .default(3)
    .describe('How many challenges of one’s own earn points in a day.'),
});
