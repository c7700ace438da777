import { limits } from '@wayquest/platform/core';
import { limitSetting, redisUrlSetting } from '@wayquest/platform/process';
import { z } from 'zod';

/** Settings of the chat service, besides those of every service. */
export const settings = z.object({
  REDIS_URL: redisUrlSetting,
  MESSAGES_PER_MINUTE: limitSetting(limits.messages),
  MESSAGES_UNANSWERED: limitSetting(limits.unansweredMessages),
});
