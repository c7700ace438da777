import { systemClock } from '@wayquest/platform/async';
import { type RunningServer, startManagement } from '@wayquest/platform/http';
import { runUntilSignal, settingsOrExit } from '@wayquest/platform/process';
import {
  hostSetting,
  logLevelSetting,
  portSetting,
  redisUrlSetting,
  wholeNumber,
} from '@wayquest/platform/settings';
import { createLogger } from '@wayquest/platform/telemetry';
import { z } from 'zod';
import { backUp } from './backup.ts';
import { adminSettings } from './command.ts';
import { startScheduledBackups } from './scheduled-backups.ts';
import { onStore } from './store.ts';
import { startStoreMetrics } from './store-metrics.ts';

const settings = settingsOrExit(
  adminSettings.extend({
    HOST: hostSetting,
    MANAGEMENT_PORT: portSetting.default(9090),
    LOG_LEVEL: logLevelSetting.default('info'),
    REDIS_URL: redisUrlSetting,
    BACKUP_FOLDER: z.string().default('/backup'),
    BACKUP_AT: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day in UTC, such as 03:00')
      .default('03:00'),
    BACKUP_KEEP: wholeNumber({ min: 1 }).default(7),
  }),
);
const logger = createLogger({ name: 'backup', level: settings.LOG_LEVEL });
const {
  INSTALLATION: installation,
  MONGO_URL: mongoUrl,
  REDIS_URL: redisUrl,
  AMQP_URL: amqpUrl,
  BACKUP_FOLDER: folder,
} = settings;

let management: RunningServer | undefined;
let stopBackups = async () => {};
let stopMetrics = async () => {};
await runUntilSignal(logger, {
  async start() {
    const { MANAGEMENT_PORT: port, HOST: host } = settings;
    management = await startManagement({ port, host, ready: async () => true });
    stopBackups = startScheduledBackups({
      ...{ folder, timeOfDay: settings.BACKUP_AT, keep: settings.BACKUP_KEEP, clock: systemClock, logger },
      make: (into) => onStore(settings, (url) => backUp({ url, installation, amqpUrl, folder: into })),
    });
    if (mongoUrl)
      stopMetrics = startStoreMetrics({ mongoUrl, redisUrl, installation, logger, clock: systemClock });
  },
  async stop() {
    await stopMetrics();
    await stopBackups();
    await management?.stop();
  },
});
