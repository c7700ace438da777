import { redisUrlSetting, wholeNumber } from '@wayquest/platform/process';
import { z } from 'zod';

/** Settings of the chat service, besides those of every service. */
export const settings = z.object({
  REDIS_URL: redisUrlSetting,
  MESSAGES_PER_MINUTE: wholeNumber({ min: 1 })
    .default(60)
    .describe('How many messages one person may send to one other in a minute.'),
  MESSAGES_UNANSWERED: wholeNumber({ min: 1 })
    .default(50)
    .describe('How many messages one person may send to one other who has never written to them.'),
});
