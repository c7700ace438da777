import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  fixedByTheImage,
  hostSetting,
  originSetting,
  processSettings,
  publicUrlDescription,
  publicUrlSetting,
  redisUrlSetting,
  wholeNumber,
} from '@wayquest/platform/process';
import type { connectRedis } from '@wayquest/platform/redis';
import { z } from 'zod';
import { type ConcurrencyLimits, defaultConcurrencyLimits } from './concurrency-limiter.ts';
import { createGateway, type Gateway, type GatewayDeps } from './gateway.ts';
import { defaultRateLimits, type RateLimits } from './rate-limits.ts';
import { webSettingsOf, webSettingsSchema } from './web-settings.ts';

/** The folder of the web app's build. */
export const builtWebApp = join(import.meta.dirname, '../../web/dist');

const rateLimit = (limit: keyof RateLimits, what: string) => {
  const { points, seconds } = defaultRateLimits[limit];
  return wholeNumber({ min: 1 }).default(points).describe(`Maximum ${what} per ${seconds} s.`);
};

const concurrencyLimit = (limit: keyof ConcurrencyLimits, description: string) =>
  wholeNumber({ min: 1 }).default(defaultConcurrencyLimits[limit]).describe(description);

/** The gateway's settings, in its own process or together with the services. */
export const gatewaySettings = z.object({
  HOST: hostSetting,
  TRUSTED_PROXIES: wholeNumber({ min: 0, max: 100 })
    .default(0)
    .describe(
      'How many proxies stand in front, whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. Behind one, 0 makes everybody share one address and its limits.',
    ),
  PUBLIC_URL: publicUrlSetting.optional().describe(publicUrlDescription),
  HSTS_SUBDOMAINS: z
    .enum(['0', '1'], 'must be 1, for every host below this one too, or 0')
    .default('0')
    .describe(
      'Whether browsers that came by https are told to use it for every host below this one too: 1 or 0.',
    ),
  RATE_LIMIT_PER_IP: rateLimit('perAddress', 'requests per IP'),
  RATE_LIMIT_PER_TOKEN: rateLimit('perToken', 'requests per token, or per IP for requests without a token,'),
  RATE_LIMIT_LOGIN_PER_IP: rateLimit('attempts', 'login and sign-up attempts per IP'),
  MAX_CONCURRENT_REQUESTS_PER_IP: concurrencyLimit('perAddress', 'Maximum concurrent requests per IP.'),
  MAX_CONCURRENT_REQUESTS_PER_TOKEN: concurrencyLimit(
    'perToken',
    'Maximum concurrent requests per token (without a token: twice as many per IP).',
  ),
  MAX_SOCKETS_PER_IP: concurrencyLimit('sockets', 'Maximum open sockets and long polls per IP.'),
  REDIS_URL: redisUrlSetting,
  ...webSettingsSchema.shape,
  WEB_DIRECTORY: z
    .string()
    .optional()
    .meta({
      ...fixedByTheImage,
      description: 'The built web app; if not said `web/dist`, or none where that is not built.',
    }),
  NODE_ENV: z
    .string()
    .optional()
    .meta({
      ...fixedByTheImage,
      description: '`development` reads the files of the web app again for each request.',
    }),
});

const addressOf = (service: string) =>
  originSetting.describe(`Where ${service} is found, as \`http://${service}:8080\`.`);

/** The gateway's settings in a process of its own. */
export const gatewayProcessSettings = processSettings.extend({
  ...gatewaySettings.shape,
  DRAIN_SECONDS: wholeNumber({ min: 0, max: 60 })
    .default(0)
    .describe(
      'How long it goes on taking calls after SIGTERM while `/readyz` says no, for a balancer in front to notice. Who stops it has to wait ten seconds longer.',
    ),
  AUTH_URL: addressOf('auth'),
  USERS_URL: addressOf('users'),
  CHALLENGES_URL: addressOf('challenges'),
  PARTICIPATION_URL: addressOf('participation'),
  FRIENDS_URL: addressOf('friends'),
  CHAT_URL: addressOf('chat'),
  NOTIFICATIONS_URL: addressOf('notifications'),
  MODERATION_URL: addressOf('moderation'),
  PLACES_URL: addressOf('places'),
  REALTIME_URL: z
    .string()
    .transform((list) => list.split(',').map((url) => url.trim()))
    .pipe(z.array(originSetting).min(1))
    .describe(
      'Where realtime’s nodes are found: addresses with commas between, or a name that stands for several.',
    ),
});

/** What the gateway needs beside its settings. */
export interface GatewayRunnerDeps
  extends Pick<GatewayDeps, 'logger' | 'port' | 'upstreams' | 'realtime' | 'timeouts' | 'drainMs'> {
  /** The web app that is served if it exists and the settings name no other. */
  webDirectory?: string;
  /** Returns a connection to Redis; undefined without a URL. */
  redis(url: string | undefined): ReturnType<typeof connectRedis> | undefined;
}

/** Creates the gateway from its settings, in its own process or together with the services. */
export function gatewayFromSettings(
  config: z.output<typeof gatewaySettings>,
  { redis, webDirectory, ...deps }: GatewayRunnerDeps,
): Gateway {
  const development = config.NODE_ENV === 'development';
  const usual =
    webDirectory !== undefined && (development || existsSync(webDirectory)) ? webDirectory : undefined;
  const limit = (name: keyof RateLimits, points: number) => ({ ...defaultRateLimits[name], points });
  return createGateway({
    ...deps,
    host: config.HOST,
    webDirectory: config.WEB_DIRECTORY ?? usual,
    webSettings: webSettingsOf(config),
    development,
    trustedProxies: config.TRUSTED_PROXIES,
    publicUrl: config.PUBLIC_URL,
    hstsSubdomains: config.HSTS_SUBDOMAINS === '1',
    redis: redis(config.REDIS_URL),
    rateLimits: {
      perAddress: limit('perAddress', config.RATE_LIMIT_PER_IP),
      perToken: limit('perToken', config.RATE_LIMIT_PER_TOKEN),
      attempts: limit('attempts', config.RATE_LIMIT_LOGIN_PER_IP),
    },
    concurrencyLimits: {
      perAddress: config.MAX_CONCURRENT_REQUESTS_PER_IP,
      perToken: config.MAX_CONCURRENT_REQUESTS_PER_TOKEN,
      sockets: config.MAX_SOCKETS_PER_IP,
    },
  });
}
