import { googleSettings } from '@wayquest/auth';
import { webSettingsSchema } from '@wayquest/gateway';
import { nobodyAsks, placesSettings, saysWhoAsks } from '@wayquest/places';
import { logLevelSetting, portSetting } from '@wayquest/platform';
import { z } from 'zod';

/** What the all-in-one process is told. An address that is missing picks the embedded part. */
export const allInOneSettings = z
  .object({
    PORT: portSetting.default(8080),
    HOST: z.string().default('0.0.0.0'),
    MANAGEMENT_PORT: portSetting.optional(),
    LOG_LEVEL: logLevelSetting.default('warn'),
    DATA_DIR: z.string().default('.data'),
    DEMO: z
      .enum(['0', '1'], 'must be 1, for an app with people and challenges at its first start, or 0')
      .default('1'),
    MONGO_URL: z.string().startsWith('mongodb', 'must be a mongodb:// address').optional(),
    AMQP_URL: z.string().startsWith('amqp', 'must be an amqp:// address').optional(),
    REDIS_URL: z.string().startsWith('redis', 'must be a redis:// address').optional(),
  })
  .extend(googleSettings.shape)
  .extend(webSettingsSchema.shape)
  .extend(placesSettings.shape)
  .refine(saysWhoAsks, nobodyAsks);

export type AllInOneSettings = z.output<typeof allInOneSettings>;
