import { redisUrlSetting } from '@wayquest/platform/process';
import { z } from 'zod';

/** What the realtime service is told, beside what every service is. */
export const settings = z.object({ REDIS_URL: redisUrlSetting });
