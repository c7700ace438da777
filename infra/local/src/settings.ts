import { privateKeySetting, signInSettings } from '@wayquest/auth';
import { challengesService } from '@wayquest/challenges';
import { chatService } from '@wayquest/chat';
import { friendsService } from '@wayquest/friends';
import { gatewaySettings } from '@wayquest/gateway';
import { moderationService } from '@wayquest/moderation';
import { notificationsService } from '@wayquest/notifications';
import { participationService } from '@wayquest/participation';
import { placesService } from '@wayquest/places';
import { mailSettings } from '@wayquest/platform/mail';
import {
  amqpUrlSetting,
  limitSettings,
  logLevelSetting,
  mongoUrlSetting,
  portSetting,
  processSettings,
  securityLogSetting,
  timeoutSettings,
  traceSettings,
} from '@wayquest/platform/settings';
import { realtimeService } from '@wayquest/realtime';
import { usersService } from '@wayquest/users';
import { z } from 'zod';

/** Settings of the services and the gateway, without those that the runner provides itself. */
export const assemblySettings = signInSettings
  .and(usersService.settings)
  .and(challengesService.settings)
  .and(participationService.settings)
  .and(friendsService.settings)
  .and(chatService.settings)
  .and(notificationsService.settings)
  .and(moderationService.settings)
  .and(placesService.settings)
  .and(realtimeService.settings)
  .and(gatewaySettings)
  .and(limitSettings);

export type AssemblySettings = z.output<typeof assemblySettings>;

/** Settings that differ from a service's own process. Without an address the embedded part is used. */
export const runnerSettings = z.object({
  PORT: processSettings.shape.PORT,
  MANAGEMENT_PORT: portSetting
    .optional()
    .describe(`${processSettings.shape.MANAGEMENT_PORT.description} Not served without it.`),
  LOG_LEVEL: logLevelSetting.default('warn'),
  SECURITY_LOG_DIR: securityLogSetting,
  DATA_DIR: mailSettings.shape.DATA_DIR.describe(
    'The directory of the embedded store, the keys and, without `SMTP_URL`, the mails.',
  ),
  STORE_PORT: portSetting
    .optional()
    .describe(
      'The TCP port of the embedded store, open to every program of this machine. Without it, only programs of its owner can connect, through a Unix socket.',
    ),
  DEMO: z
    .enum(['0', '1'], 'must be 1, for demo data at the first start, or 0')
    .default('1')
    .describe('Whether the first start creates demo people and challenges: 1 or 0.'),
  MONGO_URL: mongoUrlSetting
    .optional()
    .describe(`${mongoUrlSetting.description} Without it, the embedded store is used.`),
  AMQP_URL: amqpUrlSetting
    .optional()
    .describe(`${amqpUrlSetting.description} Without it, events stay in the process.`),
  STORE_TIMEOUT_MS: timeoutSettings.shape.STORE_TIMEOUT_MS.describe(
    `${timeoutSettings.shape.STORE_TIMEOUT_MS.description} Without effect on the embedded store.`,
  ),
  JWT_PRIVATE_KEY: privateKeySetting
    .optional()
    .describe(`${privateKeySetting.description} Without it, one is generated and stored in \`DATA_DIR\`.`),
  ...traceSettings.shape,
});

/** All settings of the all-in-one process. */
export const allInOneSettings = runnerSettings.and(assemblySettings);

export type AllInOneSettings = z.output<typeof allInOneSettings>;
