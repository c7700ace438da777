import { connectRedis, runService } from '@wayquest/platform';
import { createPlacesService } from './service.ts';
import { outsideConfig, processSettings } from './settings.ts';

await runService('places', processSettings, (deps, settings) =>
  createPlacesService({
    ...deps,
    redis: settings.REDIS_URL ? connectRedis(settings.REDIS_URL, deps.logger) : undefined,
    outside: outsideConfig(settings),
    readAhead: true,
  }),
);
