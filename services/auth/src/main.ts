import { connectRedis, runService } from '@wayquest/platform';
import { createAuthService } from './service.ts';
import { authSettings, googleConfig } from './settings.ts';

await runService('auth', authSettings, (deps, settings) =>
  createAuthService({
    ...deps,
    privateKey: settings.JWT_PRIVATE_KEY,
    google: googleConfig(settings),
    publicUrl: settings.PUBLIC_URL,
    redis: settings.REDIS_URL ? connectRedis(settings.REDIS_URL, deps.logger) : undefined,
  }),
);
