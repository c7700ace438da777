import { join } from 'node:path';
import {
  connectRedis,
  createLogger,
  logLevelSetting,
  portSetting,
  runUntilSignal,
  settingsOrExit,
  startManagement,
} from '@wayquest/platform';
import { z } from 'zod';
import { createGateway } from './gateway.ts';
import { defaultRateLimits } from './rate-limits.ts';
import { webSettingsOf, webSettingsSchema } from './web-settings.ts';

const address = z.string().regex(/^https?:\/\/[^/?#]+\/?$/, 'must be an http:// address without a path');
const allowance = (points: number) => z.coerce.number().int().positive().default(points);

const settings = settingsOrExit(
  webSettingsSchema.extend({
    PORT: portSetting.default(8080),
    MANAGEMENT_PORT: portSetting.default(9090),
    LOG_LEVEL: logLevelSetting,
    NODE_ENV: z.string().optional(),
    AUTH_URL: address,
    USERS_URL: address,
    CHALLENGES_URL: address,
    PARTICIPATION_URL: address,
    FRIENDS_URL: address,
    CHAT_URL: address,
    PLACES_URL: address,
    REALTIME_URL: z
      .string()
      .transform((list) => list.split(',').map((url) => url.trim()))
      .pipe(z.array(address).min(1)),
    REDIS_URL: z.string().startsWith('redis', 'must be a redis:// address').optional(),
    WEB_DIRECTORY: z.string().default(join(import.meta.dirname, '../../web/dist')),
    TRUSTED_PROXIES: z.coerce.number().int().min(0).default(0),
    LIMIT_PER_ADDRESS: allowance(defaultRateLimits.perAddress.points),
    LIMIT_PER_CALLER: allowance(defaultRateLimits.perCaller.points),
    LIMIT_ATTEMPTS: allowance(defaultRateLimits.attempts.points),
  }),
);

const logger = createLogger({ name: 'gateway', level: settings.LOG_LEVEL });
const redis = settings.REDIS_URL === undefined ? undefined : connectRedis(settings.REDIS_URL, logger);
const gateway = createGateway({
  logger,
  port: settings.PORT,
  host: '0.0.0.0',
  upstreams: {
    auth: settings.AUTH_URL,
    users: settings.USERS_URL,
    challenges: settings.CHALLENGES_URL,
    participation: settings.PARTICIPATION_URL,
    friends: settings.FRIENDS_URL,
    chat: settings.CHAT_URL,
    places: settings.PLACES_URL,
  },
  realtime: settings.REALTIME_URL,
  webDirectory: settings.WEB_DIRECTORY,
  webSettings: webSettingsOf(settings),
  development: settings.NODE_ENV === 'development',
  trustedProxies: settings.TRUSTED_PROXIES,
  redis,
  rateLimits: {
    perAddress: { ...defaultRateLimits.perAddress, points: settings.LIMIT_PER_ADDRESS },
    perCaller: { ...defaultRateLimits.perCaller, points: settings.LIMIT_PER_CALLER },
    attempts: { ...defaultRateLimits.attempts, points: settings.LIMIT_ATTEMPTS },
  },
});

let stopManagement = async () => {};
await runUntilSignal(logger, {
  async start() {
    const management = await startManagement({ port: settings.MANAGEMENT_PORT, ready: gateway.ready });
    stopManagement = management.stop;
    await gateway.start();
  },
  async stop() {
    await gateway.stop();
    redis?.disconnect();
    await stopManagement();
  },
});
