import { redisUrlSetting } from '@wayquest/platform/process';
import { z } from 'zod';

/** The service's own settings, beside the platform's. */
export const settings = z.object({ REDIS_URL: redisUrlSetting });
