import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '@wayquest/platform/core';
import type { Redis } from '@wayquest/platform/redis';
import {
  hostSetting,
  limitSetting,
  originSetting,
  processSettings,
  publicUrlDescription,
  publicUrlSetting,
  redisUrlSetting,
  setByImage,
  siteFrom,
  siteSettings,
  wholeNumber,
} from '@wayquest/platform/settings';
import { z } from 'zod';
import { createGateway, type Gateway, type GatewayDeps } from './gateway.ts';
import { defaultRateLimits, type RateLimits } from './rate-limits.ts';
import { webSettingsOf, webSettingsSchema } from './web-settings.ts';

/** The folder of the web app's build. */
export const builtWebApp = join(import.meta.dirname, '../../web/dist');

/** The gateway's settings, in its own process or together with the services. */
export const gatewaySettings = z.object({
  HOST: hostSetting,
  TRUSTED_PROXIES: wholeNumber({ min: 0, max: 100 })
    .default(0)
    .describe(
      'The number of trusted proxies in front of the gateway, which set `X-Forwarded-For` and `X-Forwarded-Proto`. If it is too low, all clients share the proxy’s address, and therefore its limits.',
    ),
  PUBLIC_URL: publicUrlSetting.optional().describe(publicUrlDescription),
  HSTS_SUBDOMAINS: z
    .enum(['0', '1'], 'must be 1 or 0')
    .default('0')
    .describe('Whether HSTS includes subdomains: 1 or 0.'),
  SECURITY_CONTACT: z
    .url({ protocol: /^(https|mailto|tel)$/, error: 'must be a https:, mailto: or tel: URL' })
    .optional()
    .describe(
      'Where people report vulnerabilities, as `mailto:security@wayquest.example`; without it there is no `/.well-known/security.txt`.',
    ),
  RATE_LIMIT_PER_IP: limitSetting(limits.requestsPerAddress),
  RATE_LIMIT_PER_TOKEN: limitSetting(limits.requestsPerToken),
  RATE_LIMIT_LOGIN_PER_IP: limitSetting(limits.attemptsPerAddress),
  MAX_CONCURRENT_REQUESTS_PER_IP: limitSetting(limits.concurrentRequestsPerAddress),
  MAX_CONCURRENT_REQUESTS_PER_TOKEN: limitSetting(limits.concurrentRequestsPerToken),
  MAX_SOCKETS_PER_IP: limitSetting(limits.socketsPerAddress),
  REDIS_URL: redisUrlSetting,
  ...siteSettings.shape,
  SITE_FOLDER: z
    .string()
    .optional()
    .meta({
      ...setByImage,
      description:
        'The folder of your own pages (`rules`, `privacy`, `imprint` and `contact`, each as `<page>.en.md`, `<page>.zh.md` or both) and of your logo (`logo.png`, with or without `logo.svg`): [how](operations.md#your-own-name).',
    }),
  SITE_COLOR: z
    .string()
    .regex(/^#[\da-f]{6}$/i, 'must be a color like #1d7a4f')
    .optional()
    .describe(
      'Your color, as `#1d7a4f`: buttons and links have shades of it, of the same brightness as Wayquest’s purple, so that text stays readable.',
    ),
  ...webSettingsSchema.shape,
  WEB_DIRECTORY: z
    .string()
    .optional()
    .meta({
      ...setByImage,
      description: 'The directory of the built web app. Default: `web/dist`, if it exists.',
    }),
  NODE_ENV: z
    .string()
    .optional()
    .meta({
      ...setByImage,
      description: 'With `development`, the files of the web app are read again for each request.',
    }),
});

const addressOf = (service: string) =>
  originSetting.describe(`The URL of ${service}, as \`http://${service}:8080\`.`);

/** The gateway's settings in a process of its own. */
export const gatewayProcessSettings = processSettings.extend({
  ...gatewaySettings.shape,
  DRAIN_SECONDS: wholeNumber({ min: 0, max: 60 })
    .default(0)
    .describe(
      'How long the gateway accepts requests after SIGTERM while `/readyz` responds with 503, so that a load balancer notices. The orchestrator’s stop timeout must be at least ten seconds longer.',
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
      'The URLs of realtime’s nodes, separated by commas, or one URL whose name resolves to several addresses.',
    ),
});

/** What the gateway needs beside its settings. */
export interface GatewayRunnerDeps
  extends Pick<GatewayDeps, 'logger' | 'port' | 'upstreams' | 'realtime' | 'timeouts' | 'drainMs'> {
  /** The web app that is served if it exists and no other is configured. */
  webDirectory?: string;
  /** Returns a connection to Redis; undefined without a URL. */
  redis(url: string | undefined): Redis | undefined;
}

/** Creates the gateway from its settings, in its own process or together with the services. */
export function gatewayFromSettings(
  config: z.output<typeof gatewaySettings>,
  { redis, webDirectory, ...deps }: GatewayRunnerDeps,
): Gateway {
  const development = config.NODE_ENV === 'development';
  const defaultDirectory =
    webDirectory !== undefined && (development || existsSync(webDirectory)) ? webDirectory : undefined;
  const limit = (name: keyof RateLimits, max: number) => ({ ...defaultRateLimits[name], max });
  return createGateway({
    ...deps,
    host: config.HOST,
    webDirectory: config.WEB_DIRECTORY ?? defaultDirectory,
    webSettings: webSettingsOf(config),
    site: siteFrom(config),
    siteFolder: config.SITE_FOLDER,
    siteColor: config.SITE_COLOR,
    development,
    trustedProxies: config.TRUSTED_PROXIES,
    publicUrl: config.PUBLIC_URL,
    hstsSubdomains: config.HSTS_SUBDOMAINS === '1',
    securityContact: config.SECURITY_CONTACT,
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
